package io.taskmaster.server.partition;

/** The loops of a node: threads, or those of a simulator. Thread-safe. */
interface Loops extends AutoCloseable {

    /** The number of loops. */
    int count();

    /** Returns the loop with this number, from 0. */
    PartitionLoop loop(int number);

    /** Registers meters of the loops themselves. */
    default void showTo(NodeMeters meters) {}

    /** Starts to run the tasks passed to the loops. */
    void start();

    /** Stops all loops after their current tasks. Idempotent; blocks. */
    @Override
    void close();
}
