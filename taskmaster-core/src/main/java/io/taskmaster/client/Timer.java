package io.taskmaster.client;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The clock and the alarm of a client, and of what is built on one, so that tests can hand in their own. Thread-safe. */
public interface Timer {

    /** The time of this process. Its alarms run on a shared daemon thread. */
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

    /** As {@link System#nanoTime()}. */
    long nanoTime();

    /** As {@link Instant#now()}; may jump. */
    Instant now();

    /** Runs a short task once, after a delay. */
    void schedule(Runnable task, long delayNanos);
}
