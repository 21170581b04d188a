package io.taskmaster.client;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The clock and the alarms of a client, and of what is built on one, which tests can replace. Thread-safe. */
public interface Timer {

    /** The system's clock. Its alarms run on a shared daemon thread. */
    Timer SYSTEM = new Timer() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public void schedule(Runnable task, long delayNanos) {
            CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(task);
        }
    };

    /** Returns the monotonic time, as {@link System#nanoTime()}. */
    long nanoTime();

    /** Returns the time of day, as {@link Instant#now()}, which may jump. */
    Instant now();

    /** Runs a short task once, after a delay. */
    void schedule(Runnable task, long delayNanos);
}
