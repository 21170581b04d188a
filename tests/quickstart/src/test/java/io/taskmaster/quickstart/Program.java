package io.taskmaster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that is run to its end, on the Java of the tests, and must succeed. */
final class Program {

    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private Program() {}

    /** Returns what the program printed. */
    static String run(Path folder, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(Path.of("target"), "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            String printed = Files.readString(output);
            assertThat(ended).as(printed).isTrue();
            assertThat(process.exitValue()).as(printed).isZero();
            return printed;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
