package io.taskmaster.server.partition;

import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.state.PartitionState;

/**
 * The surroundings that all parts of a serving partition share. Owned by the partition's loop.
 *
 * @param partition the number of the partition
 * @param budget its share of the node's memory
 * @param meters those of the node
 */
record PartitionContext(
        int partition,
        TickedLoop loop,
        PartitionSettings settings,
        EngineState engine,
        MemoryBudget.Share budget,
        NodeMeters meters) {

    PartitionState state() {
        return engine.partition();
    }

    SelectorCache selectors() {
        return engine.selectors();
    }
}
