package io.taskmaster.harness.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A freeze of a process.
 *
 * <p>The process is stopped by a shell that lets it continue when we close the shell's input, or have died: a stopped
 * process could not notice by itself that its parent is dead, and would stay forever.
 */
final class Pause implements AutoCloseable {

    private static final String SCRIPT =
            "trap '' INT TERM HUP; kill -STOP $0 && echo stopped; read -r _; kill -CONT $0 2>/dev/null; true";
    private static final long GRACE_SECONDS = 10;

    private static final char DEAD = 'X';
    /** States of a thread: stopped, stopped by a debugger, or ended. */
    private static final String STOPPED = "TtZ" + DEAD;

    private static final long CHECK_NANOS = 1_000_000;
    private static final int MAX_CHECKS = 10_000;

    private final Process shell;

    private Pause(Process shell) {
        this.shell = shell;
    }

    /** Stops a process; it is stopped when this returns. */
    static Pause of(long pid) throws IOException {
        Process shell = new ProcessBuilder(List.of("sh", "-c", SCRIPT, Long.toString(pid)))
                .redirectError(Redirect.DISCARD)
                .start();
        // If the process is gone the shell prints nothing, and its output ends.
        shell.getInputStream().read();
        Pause pause = new Pause(shell);
        try {
            awaitStopped(pid);
            return pause;
        } catch (IOException | RuntimeException e) {
            pause.close();
            throw e;
        }
    }

    /**
     * Waits until every thread has stopped, on systems that show them. A thread stops when it next handles signals,
     * which is late if it waits for a disk.
     */
    private static void awaitStopped(long pid) throws IOException {
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        for (int tries = 0; runs(threads); tries++) {
            if (tries == MAX_CHECKS) {
                throw new IOException("does not stop: " + pid);
            }
            LockSupport.parkNanos(CHECK_NANOS);
        }
    }

    private static boolean runs(Path threads) throws IOException {
        try (Stream<Path> each = Files.list(threads)) {
            return each.anyMatch(thread -> STOPPED.indexOf(state(thread)) < 0);
        } catch (NoSuchFileException | UncheckedIOException ended) {
            return false;
        }
    }

    /**
     * Returns the state of a thread: the letter behind its name, which is in parentheses and may contain some itself;
     * see proc(5).
     */
    private static char state(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"), ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException ended) {
            return DEAD;
        }
    }

    /** Lets the process continue. Idempotent; blocks until the shell has done so. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the shell that holds a stopped process does not end: " + shell.pid());
            }
        } catch (IOException ended) {
            // The shell has ended already, as intended.
        } catch (InterruptedException e) {
            // The shell's input has ended, so it lets the process continue nevertheless.
            Thread.currentThread().interrupt();
        }
    }
}
