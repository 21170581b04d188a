package io.taskmaster.examples.demo.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A child process that is started again whenever it dies, until it is closed. It detects the death of this process by
 * the end of its standard input. After too many early deaths in a row it is not started again. Thread-safe.
 */
final class ChildProcess implements AutoCloseable {

    private static final Duration YOUNG = Duration.ofSeconds(5);
    private static final int MAX_YOUNG_DEATHS = 10;
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final String name;
    private final List<String> command;
    private final DemoFolder folder;
    private final AtomicInteger restarts = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Process process;

    private volatile @Nullable String failure;

    private ChildProcess(String name, List<String> command, DemoFolder folder) {
        this.name = name;
        this.command = command;
        this.folder = folder;
    }

    static ChildProcess start(String name, List<String> command, DemoFolder folder) {
        ChildProcess child = new ChildProcess(name, command, folder);
        Thread.ofVirtual().name("keeper of " + name).start(child::keep);
        return child;
    }

    String name() {
        return name;
    }

    /** The number of restarts. */
    int restarts() {
        return restarts.get();
    }

    /** The reason why it is not started any more; absent while it is. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    private void keep() {
        int youngDeaths = 0;
        try {
            while (true) {
                long begin = System.nanoTime();
                Process running = launch();
                if (running == null) {
                    return;
                }
                int status = running.waitFor();
                youngDeaths = System.nanoTime() - begin < YOUNG.toNanos() ? youngDeaths + 1 : 0;
                if (closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                if (youngDeaths == MAX_YOUNG_DEATHS) {
                    failure = "%s: ended %d times in a row, last with status %d (see %s)"
                            .formatted(name, youngDeaths, status, folder.log(name));
                    return;
                }
                restarts.incrementAndGet();
            }
        } catch (IOException e) {
            failure = name + ": cannot be started: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts the process, unless it is closed. The lock excludes a start after a close. */
    private @Nullable Process launch() throws IOException {
        lock.lock();
        try {
            if (closed.getCount() == 0) {
                return null;
            }
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(folder.log(name).toFile()))
                    .start();
            process = started;
            Files.writeString(folder.pid(name), started.pid() + "\n");
            return started;
        } finally {
            lock.unlock();
        }
    }

    /** Asks the process to end; {@link #close} waits for that. Idempotent. */
    void stop() {
        lock.lock();
        try {
            closed.countDown();
            if (process != null) {
                process.destroy();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the process, by force if it takes too long. Idempotent. Blocks. */
    @Override
    public void close() {
        stop();
        Process last = last();
        if (last == null) {
            return;
        }
        try {
            if (!last.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                last.destroyForcibly().waitFor();
            }
            Files.deleteIfExists(folder.pid(name));
        } catch (InterruptedException e) {
            last.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IOException leftBehind) {
            // A stale file with a process id is harmless: the next run overwrites it.
        }
    }

    private @Nullable Process last() {
        lock.lock();
        try {
            return process;
        } finally {
            lock.unlock();
        }
    }
}
