package io.taskmaster.server.engine;

import java.util.Optional;

/**
 * A look at the queues of a partition, as far as they are in memory, in slices, so that others overtake. Single-threaded: owned by the partition's loop.
 *
 * @param <A> what it finds
 */
public interface Walk<A> {

    /** Of this many steps is a slice: well under a millisecond. */
    int SLICE_STEPS = 2_000;

    /** So many tasks, which are looked at for the age of a queue, are as much work as a queue. */
    int TASKS_PER_STEP = 8;

    /** The selector whose choice has to be known before each slice, if there is one. */
    Optional<Command.Selector> selector();

    /** Whether the node itself asks, so that the selector is not refused however much work it is. */
    default boolean isOfTheNode() {
        return false;
    }

    /** Walks on. True at the end. */
    boolean walkOn(PartitionState state);

    /** What it has found, at the end. */
    A found();
}
