package io.taskmaster.server.partition;

import java.util.concurrent.Executor;

/**
 * Where a partition runs, and its only source of time: a thread of the node, or a simulator. Everything of one partition runs
 * here, one after the other.
 */
public interface PartitionLoop extends Executor {

    /** Milliseconds since 1970. May jump. */
    long nowMillis();

    /** Runs something here, not before so many milliseconds have passed. */
    void schedule(long delayMillis, Runnable task);
}
