package io.taskmaster.server.partition;

import io.taskmaster.server.partition.log.RowsInFlight;

/**
 * What the partitions of a node have in common: memory, and the way to the store. Thread-safe.
 *
 * @param rows of all their logs
 */
public record Commons(MemoryBudget budget, Backlog backlog, RowsInFlight rows) {

    /** For a node with this memory. */
    public static Commons of(MemoryBudget budget, PartitionSettings settings) {
        return new Commons(
                budget,
                new Backlog(settings.logWaitMillis()),
                new RowsInFlight(settings.log().maxRowsInFlight()));
    }
}
