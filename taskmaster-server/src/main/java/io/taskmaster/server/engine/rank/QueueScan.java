package io.taskmaster.server.engine.rank;

import io.taskmaster.command.Command;
import io.taskmaster.server.engine.index.EngineState;
import java.util.Optional;

/**
 * A walk over the queues of a partition, as far as they are in memory, in slices, so that other commands run in
 * between. Single-threaded: owned by the partition's loop.
 *
 * @param <A> the result
 */
public interface QueueScan<A> {

    /** The number of steps in a slice: well under a millisecond. */
    int SLICE_STEPS = 2_000;

    /** The number of tasks, looked at for the age of a queue, that are as much work as a queue. */
    int TASKS_PER_STEP = 8;

    /** The selector whose choice has to be known before each slice, if there is one. */
    Optional<Command.Selector> selector();

    /** Returns whether the node itself runs the walk, so that the selector is not refused however much work it is. */
    default boolean isOfTheNode() {
        return false;
    }

    /**
     * Walks on by a slice.
     *
     * @return whether the walk is at its end
     */
    boolean scanSlice(EngineState engine);

    /** Returns the result, at the end. */
    A found();
}
