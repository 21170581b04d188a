package io.taskmaster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.harness.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A run of a suite, by the same script that developers run by hand. Immutable.
 *
 * @param output the file with all output
 * @param status the exit status
 */
record SuiteRun(Path output, int status) {

    /** The folder of reports, and of language environments that the next run uses again. */
    static final Path TARGET = Path.of("target");

    /** The folder to which clients write their recorded histories. */
    static final Path HISTORIES = TARGET.resolve("histories");

    /** The flags of the JVM of further servers. */
    private static final List<String> SERVER_FLAGS = List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final long LIMIT_MINUTES = 15;
    private static final int TAIL_LINES = 150;

    /**
     * Runs a suite to its end. Blocks.
     *
     * @param language the folder of the suite
     * @param backend the store of further servers
     * @param server the server of the suite
     * @param arguments arguments for the test tool of that language
     */
    static SuiteRun of(String language, Backend backend, ServerProcess server, String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", language + "/run"));
        command.addAll(List.of(arguments));
        Path output = TARGET.resolve(language + "-output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("TASKMASTER_SERVER", server.target());
        // Suites start further servers for cases that kill their server, or need one with little memory.
        builder.environment()
                .put(
                        "TASKMASTER_COMMAND",
                        quoted(backend.program().withFlags(SERVER_FLAGS).words()));
        builder.environment().put("TASKMASTER_STORE", backend.name());
        builder.environment().put("TASKMASTER_BUILD", TARGET.toAbsolutePath().toString());
        builder.environment().put("TASKMASTER_WHOLE_CONTRACT", "1");
        builder.environment()
                .put("TASKMASTER_HISTORIES", HISTORIES.toAbsolutePath().toString());
        try {
            Files.createDirectories(TARGET);
            Process process = builder.start();
            try {
                assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES))
                        .as("ends in %s minutes:\n%s", LIMIT_MINUTES, tail(output))
                        .isTrue();
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            return new SuiteRun(output, process.exitValue());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    void requireSuccess() {
        assertThat(status).as(() -> tail(output)).isZero();
    }

    /** Returns the lines that begin with this text after leading white space. */
    List<String> lines(String beginning) {
        return read(output).stream()
                .filter(line -> line.stripLeading().startsWith(beginning))
                .toList();
    }

    /** Quotes words so that a shell takes them literally. */
    private static String quoted(List<String> words) {
        return words.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    private static String tail(Path output) {
        List<String> lines = read(output);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    private static List<String> read(Path output) {
        try {
            return Files.readAllLines(output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
