package io.taskmaster.server.partition;

import io.taskmaster.server.engine.Choices;
import io.taskmaster.server.engine.EngineState;
import io.taskmaster.server.engine.PartitionState;

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

    Choices selectors() {
        return engine.selectors();
    }
}
