package io.taskmaster.server.partition.claim;

import io.taskmaster.server.partition.calls.TimedExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread that keeps a claim. It is separate from the loops, so that busy partitions do not make a node seem dead.
 * Thread-safe.
 */
public final class ClaimThread implements TimedExecutor, AutoCloseable {

    private final ScheduledThreadPoolExecutor executor;

    public ClaimThread() {
        executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("claim").daemon().factory());
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException closed) {
            // A task after close has no effect that matters: the claim is over.
        }
    }

    @Override
    public void schedule(long delayMillis, Runnable task) {
        try {
            var _ = executor.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // A task after close has no effect that matters: the claim is over.
        }
    }

    /** Stops the thread after tasks that are due. Idempotent; does not wait. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
