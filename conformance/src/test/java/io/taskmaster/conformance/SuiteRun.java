package io.taskmaster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One run of a suite, by the script that people run by hand too. Immutable.
 *
 * @param output where all that it said is
 * @param status its exit status
 */
record SuiteRun(Path output, int status) {

    /** Where reports go, and environments are kept for the next run. */
    static final Path TARGET = Path.of("target");

    /** Where clients that record what they ask and are told put that. */
    static final Path HISTORIES = TARGET.resolve("histories");

    /** What the suites start more servers with, up to what is run: for cases that kill theirs, or want one with little room. */
    private static final List<String> SERVER_COMMAND = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"));

    private static final long LIMIT_MINUTES = 15;
    private static final int TAIL_LINES = 150;

    /**
     * Runs a suite to its end. Blocks.
     *
     * @param language the folder of the suite
     * @param backend for more servers
     * @param arguments for the test tool of that language
     */
    static SuiteRun of(String language, Backend backend, ServerProcess server, String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", language + "/run"));
        command.addAll(List.of(arguments));
        Path output = TARGET.resolve(language + "-output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("TASKMASTER_SERVER", server.target());
        List<String> serverCommand = new ArrayList<>(SERVER_COMMAND);
        serverCommand.addAll(backend.program());
        builder.environment().put("TASKMASTER_COMMAND", quoted(serverCommand));
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

    /** The lines that begin with this, but for white space. */
    List<String> lines(String beginning) {
        return read(output).stream()
                .filter(line -> line.stripLeading().startsWith(beginning))
                .toList();
    }

    /** As a shell takes words for what they are. */
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
