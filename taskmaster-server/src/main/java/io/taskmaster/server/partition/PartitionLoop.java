package io.taskmaster.server.partition;

import io.taskmaster.server.partition.log.TimedExecutor;

/**
 * Where a partition runs, and its only source of time: a thread of the node, or a simulator. Everything of one partition runs
 * here, one after the other.
 */
public interface PartitionLoop extends TimedExecutor {

    /** Milliseconds since 1970, as of {@link EngineClock}; see {@link Turns#now}. */
    long nowMillis();

    /** Runs what takes long on another thread, so that others on the loop need not wait for it; see {@link Strand}. Thread-safe. */
    void executeBeside(Runnable task);

    /**
     * Runs what takes long and touches nothing that a partition has on another thread, while the partition goes on. One after the other, as far as there are
     * no threads for it. Thread-safe.
     */
    void compute(Runnable work);
}
