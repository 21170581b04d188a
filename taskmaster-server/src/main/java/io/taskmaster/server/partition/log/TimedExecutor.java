package io.taskmaster.server.partition.log;

import java.util.concurrent.Executor;

/** Runs things, one after the other, now or later. */
public interface TimedExecutor extends Executor {

    /** Runs something here, not before so many milliseconds have passed. */
    void schedule(long delayMillis, Runnable task);
}
