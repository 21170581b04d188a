package io.taskmaster.bench.target;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Java process on our own class path, whose output goes to a file. It ends with us: closing kills it, and so does the end of this
 * process. Thread-safe.
 */
final class ChildJvm implements AutoCloseable {

    private static final long STOP_LIMIT_SECONDS = 30;
    private static final int SHOWN_LOG_LINES = 15;

    private final Process process;
    private final Path log;
    private final Thread killer;

    private ChildJvm(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.killer = new Thread(process::destroyForcibly, "kill-child-" + process.pid());
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /** Starts a main class with flags for its JVM; what it prints is appended to the log. */
    static ChildJvm start(List<String> flags, String mainClass, List<String> arguments, Path log) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(flags);
        command.add(mainClass);
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Redirect.PIPE)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
            return new ChildJvm(process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + mainClass, e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it without warning. Blocks until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        forget();
    }

    /** Asks it to end; one that does not within the limit is killed, and that is an error. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException(
                    "the child did not stop within " + STOP_LIMIT_SECONDS + " s: " + lastWords());
        }
        forget();
    }

    /** The end of what it printed. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "(its output cannot be read: " + e.getMessage() + ")";
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        forget();
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // We are shutting down ourselves: the hook runs in any case, and finds the process gone.
        }
    }
}
