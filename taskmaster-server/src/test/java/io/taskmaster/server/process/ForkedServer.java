package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own. Closing kills it, if it still runs. Single-threaded. */
public final class ForkedServer implements AutoCloseable {

    static final Duration START = Duration.ofMinutes(2);

    private static final Pattern SERVES = serves("listen");
    private static final Pattern SERVES_HTTP = serves("http");

    private final Process process;
    private final Path output;
    private final Path errors;

    private static Pattern serves(String port) {
        return Pattern.compile("TaskMaster serves.* " + port + "=\"?127\\.0\\.0\\.1:(\\d+)");
    }

    private ForkedServer(Process process, Path output, Path errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /**
     * Starts a server as an operator would, on free ports. {@link #awaitServing} returns when it serves.
     *
     * @param logs the folder of its output
     * @param settings settings, each as {@code key=value}
     */
    static ForkedServer start(Path data, Path logs, String... settings) {
        List<String> arguments = new ArrayList<>(
                List.of("server", "--data", data.toString(), "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"));
        for (String setting : settings) {
            arguments.addAll(List.of("--set", setting));
        }
        return startProgram("io.taskmaster.cli.Main", arguments, logs);
    }

    /**
     * Starts a program of the tests that is a server, and announces in its log that it serves, as every server does.
     *
     * @param logs the folder of its output
     */
    public static ForkedServer startProgram(String mainClass, List<String> arguments, Path logs) {
        try {
            Path output = Files.createTempFile(logs, "server", ".out");
            Path errors = Files.createTempFile(logs, "server", ".err");
            return new ForkedServer(ForkedJvm.start(mainClass, arguments, output, errors), output, errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits until it serves. Returns the address for clients. */
    public String awaitServing() {
        return awaitPort(SERVES);
    }

    /** Waits until it serves. Returns the address for HTTP. */
    String awaitHttp() {
        return awaitPort(SERVES_HTTP);
    }

    private String awaitPort(Pattern message) {
        await().atMost(START)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> port(message).isPresent() || !process.isAlive());
        assertThat(port(message)).as(this::errors).isPresent();
        return "127.0.0.1:" + port(message).get();
    }

    public ResidentMemory memory() {
        return ResidentMemory.of(process.pid());
    }

    /** Returns the CPU time that it has used. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns its standard error so far. */
    public String errors() {
        return read(errors);
    }

    /** Returns its standard output so far. */
    public String output() {
        return read(output);
    }

    /** Sends SIGKILL, and waits until the kernel has cleaned up after the process. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Sends SIGTERM. Returns the exit status. */
    int terminate() {
        process.destroy();
        return awaitExit();
    }

    /** Waits until it ends. Returns the exit status. */
    int awaitExit() {
        try {
            assertThat(process.waitFor(START.toSeconds(), TimeUnit.SECONDS))
                    .as(this::errors)
                    .isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }

    private Optional<String> port(Pattern message) {
        Matcher serves = message.matcher(errors());
        return serves.find() ? Optional.of(serves.group(1)) : Optional.empty();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
