package io.taskmaster.harness.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A Java process that can be killed, frozen, and started again with the same command. Its output is appended to a log.
 *
 * <pre>{@code
 * state           | event           | next state | effect
 * ----------------+-----------------+------------+---------------------------------------------------
 * ended           | start()         | running    | a new process; starts() grows
 * running         | pause()         | frozen     | SIGSTOP
 * frozen          | resume()        | running    | SIGCONT
 * running, frozen | kill()          | ended      | SIGKILL
 * running, frozen | terminate()     | ended      | SIGCONT, SIGTERM; SIGKILL after the limit
 * running         | it exits itself | ended      |
 * any             | close()         | closed     | SIGKILL; start() does nothing from now on
 * }</pre>
 *
 * It starts as ended. It never outlives this process, however that ends, even if the child is frozen at that time
 * ({@link Attached}, {@link Pause}).
 *
 * <p>Thread-safe. Calls exclude each other; those that end a process block until it has ended.
 */
public final class ChildJvm implements AutoCloseable {

    private final JvmCommand command;
    private final Path log;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Process process;

    @GuardedBy("lock")
    private @Nullable Pause pause;

    @GuardedBy("lock")
    private int starts;

    @GuardedBy("lock")
    private boolean closed;

    private ChildJvm(JvmCommand command, Path log) {
        this.command = command;
        this.log = log;
    }

    /** Returns a process that is not started yet. */
    public static ChildJvm of(JvmCommand command, Path log) {
        return new ChildJvm(command, log);
    }

    /** Starts a process. */
    public static ChildJvm start(JvmCommand command, Path log) {
        ChildJvm child = of(command, log);
        child.start();
        return child;
    }

    /** Starts it, if it does not run. Does nothing after {@link #close}. */
    public void start() {
        lock.lock();
        try {
            if (!closed && !isAlive()) {
                ProcessBuilder builder = new ProcessBuilder(command.attachedCommand())
                        .redirectErrorStream(true)
                        .redirectInput(Redirect.PIPE)
                        .redirectOutput(Redirect.appendTo(log.toFile()));
                builder.environment().putAll(command.environment());
                process = builder.start();
                starts++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.mainClass(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Kills it with SIGKILL, running or frozen. */
    public void kill() {
        lock.lock();
        try {
            if (process != null) {
                process.destroyForcibly().onExit().join();
            }
            thaw();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Terminates it with SIGTERM; kills it if it has not ended within the limit. Returns its exit status if it ended by
     * itself.
     */
    public OptionalInt terminate(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            thaw();
            if (process == null) {
                return OptionalInt.empty();
            }
            // Process.destroy would close its standard input, too, which kills it at once.
            process.toHandle().destroy();
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return OptionalInt.of(process.exitValue());
            }
            kill();
            return OptionalInt.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Freezes it until {@link #resume}. */
    public void pause() {
        lock.lock();
        try {
            if (pause == null && process != null && process.isAlive()) {
                pause = Pause.of(process.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stop " + command.mainClass(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Thaws it. */
    public void resume() {
        lock.lock();
        try {
            thaw();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void thaw() {
        if (pause != null) {
            pause.close();
            pause = null;
        }
    }

    /** Returns whether it runs or is frozen. */
    public boolean isAlive() {
        lock.lock();
        try {
            return process != null && process.isAlive();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of starts. */
    public int starts() {
        lock.lock();
        try {
            return starts;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the id of the process that was started last. */
    public long pid() {
        lock.lock();
        try {
            if (process == null) {
                throw new IllegalStateException("never started");
            }
            return process.pid();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it ends. Returns its exit status; empty if it still runs after the limit, or was never started. */
    public OptionalInt awaitExit(Duration limit) throws InterruptedException {
        Process awaited = lastStarted();
        return awaited != null && awaited.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(awaited.exitValue())
                : OptionalInt.empty();
    }

    private @Nullable Process lastStarted() {
        lock.lock();
        try {
            return process;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the end of its output. */
    public String lastOutput() {
        return LogFile.lastLines(log);
    }

    /** Kills it for good. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            kill();
        } finally {
            lock.unlock();
        }
    }
}
