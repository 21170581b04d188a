package io.taskmaster.server.partition.loop;

import io.taskmaster.server.partition.calls.TimedExecutor;

/**
 * The loop that runs a partition, and its only source of time: a thread of the node, or a simulator. It runs everything
 * of one partition, one task after the other.
 */
public interface PartitionLoop extends TimedExecutor {

    /** Returns milliseconds since 1970, as of {@link EngineClock}; see {@link TickedLoop#nowMillis}. */
    long nowMillis();

    /**
     * Offloads a long task of the partition to another thread, so that other partitions on the loop need not wait; see
     * {@link Strand}. Thread-safe.
     */
    void offload(Runnable task);

    /**
     * Offloads a long computation that touches nothing of the partition, while the partition goes on. Computations are
     * queued if all threads are busy. Thread-safe.
     */
    void compute(Runnable work);
}
