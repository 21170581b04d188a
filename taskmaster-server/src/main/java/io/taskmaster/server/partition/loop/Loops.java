package io.taskmaster.server.partition.loop;

import java.util.Optional;

/** The loops of a node: threads, or those of a simulator. Thread-safe. */
public interface Loops extends AutoCloseable {

    /** The number of loops. */
    int count();

    /** Returns the loop with this number, from 0. */
    PartitionLoop loop(int number);

    /** The clock that the loops share, if it is one of this machine. */
    default Optional<EngineClock> clock() {
        return Optional.empty();
    }

    /** Starts to run the tasks passed to the loops. */
    void start();

    /** Stops all loops after their current tasks. Idempotent; blocks. */
    @Override
    void close();
}
