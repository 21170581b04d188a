package io.taskmaster.placement;

/**
 * The capacity of a node. The load is a measure, by which nodes of different sizes are compared, and may be exceeded;
 * queues and memory are hard limits, which no planned move exceeds. Immutable.
 *
 * @param load the load that keeps the node busy all of the time, in the unit of {@link PartitionLoad#busy()}
 * @param queues the most queues that it can hold
 * @param memoryBytes the most bytes that its partitions can hold in memory
 */
public record NodeCapacity(double load, long queues, long memoryBytes) {

    public NodeCapacity {
        if (!(load > 0) || Double.isInfinite(load) || queues < 0 || memoryBytes < 0) {
            throw new IllegalArgumentException(
                    "capacity: load %s, %d queues, %d bytes (expected: a positive load, and no negative limit)"
                            .formatted(load, queues, memoryBytes));
        }
    }

    /** Returns the capacity of a node of one processor whose queues and memory are not limited. */
    public static NodeCapacity unlimited() {
        return new NodeCapacity(1, Long.MAX_VALUE, Long.MAX_VALUE);
    }
}
