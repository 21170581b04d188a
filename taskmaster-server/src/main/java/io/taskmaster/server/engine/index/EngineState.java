package io.taskmaster.server.engine.index;

import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.Queues;

/**
 * The state that decisions see: that of the partition, and what is derived from it to find queues fast and fairly.
 * Single-threaded: owned by the partition's loop.
 *
 * @param partition the state that {@link PartitionState#apply} alone changes
 * @param selectors the queues that each selector chooses, and its rotations
 * @param activity the busiest queues, the oldest tasks, and the verdicts on unattended queues
 */
public record EngineState(PartitionState partition, SelectorCache selectors, ActivityIndex activity) {

    /** Begins to follow a partition's state. */
    public static EngineState of(PartitionState partition) {
        Queues queues = partition.queues();
        return new EngineState(partition, new SelectorCache(queues), new ActivityIndex(queues));
    }
}
