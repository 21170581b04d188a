package io.taskmaster.conformance;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The server that the suites talk to, in a process of its own, on a free port. Single-threaded. */
final class ServerUnderTest implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(90);
    private static final Pattern SERVES = Pattern.compile("TaskMaster serves.*listen=\"?(127\\.0\\.0\\.1:\\d+)");

    /** The words that start a server, up to the flags. It has room for messages at the limits of the contract. */
    private static final List<String> COMMAND = List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "-Xmx1g",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            "io.taskmaster.server.cli.Main",
            "server");

    private final Path data;
    private final Path log;
    private @Nullable Process process;

    /**
     * @param folder for data and log
     */
    ServerUnderTest(Path folder) {
        data = folder.resolve("data");
        log = folder.resolve("server.log");
    }

    /** Comes back when it serves. */
    void start() {
        List<String> command = new ArrayList<>(COMMAND);
        command.addAll(List.of("--data", data.toString(), "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"));
        try {
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            process = started;
            // A test that is interrupted takes its children along.
            Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly, "end-server"));
            await().atMost(START)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> listening().isPresent() || !started.isAlive());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        assertThat(listening()).as(this::log).isPresent();
    }

    /** Host and port for clients. */
    String address() {
        return listening().orElseThrow();
    }

    /** What a shell starts more servers with: for cases that kill theirs, or want one with little room. */
    static String shellCommand() {
        return COMMAND.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    private Optional<String> listening() {
        Matcher serves = SERVES.matcher(log());
        return serves.find() ? Optional.of(serves.group(1)) : Optional.empty();
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
