package io.taskmaster.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The programs of Prometheus. Tests that need them are skipped where they are not installed, except in CI. */
public final class Programs {

    private Programs() {}

    public static Path find(String name) {
        Optional<Path> program = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(program.isPresent() || Boolean.parseBoolean(System.getenv("CI")), name + " is not installed");
        return program.orElseThrow();
    }

    /** Runs a program. Fails with its output if it fails. */
    public static void run(Path program, String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Path file = Files.createTempFile("input", ".txt");
        try {
            Files.writeString(file, input);
            Process process = new ProcessBuilder(command)
                    .redirectInput(file.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as("%s says: %s", command, output).isZero();
        } finally {
            Files.delete(file);
        }
    }
}
