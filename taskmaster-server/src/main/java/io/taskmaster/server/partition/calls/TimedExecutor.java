package io.taskmaster.server.partition.calls;

import java.util.concurrent.Executor;

/** An executor that runs tasks one after the other, at once or after a delay. */
public interface TimedExecutor extends Executor {

    /** Runs a task after at least this delay. */
    void schedule(long delayMillis, Runnable task);
}
