package io.taskmaster.server.partition.context;

import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.loop.TickedLoop;

/**
 * The surroundings that all parts of a serving partition share. Owned by the partition's loop.
 *
 * @param partition the number of the partition
 * @param budget its share of the node's memory
 * @param meters those of the node
 */
public record PartitionContext(
        int partition,
        TickedLoop loop,
        PartitionSettings settings,
        EngineState engine,
        MemoryBudget.Share budget,
        NodeMeters meters) {

    public PartitionState state() {
        return engine.partition();
    }

    public SelectorCache selectors() {
        return engine.selectors();
    }
}
