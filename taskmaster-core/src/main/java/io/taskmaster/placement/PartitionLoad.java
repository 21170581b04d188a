package io.taskmaster.placement;

import java.time.Duration;

/**
 * The load of a partition, as the node that serves it measures it. That a node reports a load is also how the end of a
 * planned move is seen. Immutable.
 *
 * @param partition the partition
 * @param servedBy the node that serves it and measured this
 * @param busy the share of time for which the partition keeps a processor busy; or any other measure of work that adds
 *     up
 * @param measuredFor the time since the node opened the partition. Rates start at zero then, so a young load says
 *     nothing
 * @param queues the number of its queues
 * @param memoryBytes the bytes that it holds in memory
 */
public record PartitionLoad(
        int partition, NodeRef servedBy, double busy, Duration measuredFor, long queues, long memoryBytes) {

    public PartitionLoad {
        if (partition < 0 || !(busy >= 0) || Double.isInfinite(busy) || queues < 0 || memoryBytes < 0) {
            throw new IllegalArgumentException(
                    "load of partition %d: busy %s, %d queues, %d bytes (expected: finite, and not negative)"
                            .formatted(partition, busy, queues, memoryBytes));
        }
    }
}
