package io.taskmaster.server.partition;

/** The loops of a node: threads of its own, or those of a simulator. Thread-safe. */
interface Loops extends AutoCloseable {

    /** How many there are. */
    int count();

    /** The loop of this number, from 0. */
    PartitionLoop loop(int number);

    /** Measures what the loops have of their own. */
    default void showTo(NodeMeters meters) {}

    /** What was handed to the loops runs from now on. */
    void start();

    /** Ends all loops after the task that each is at. Idempotent; blocks. */
    @Override
    void close();
}
