package io.taskmaster.server.partition;

import io.taskmaster.server.partition.log.RowsInFlight;

/**
 * What the partitions of a node have in common: memory, the way to the store, and what they measure. Thread-safe.
 *
 * @param rows of all their logs
 */
public record Commons(MemoryBudget budget, Backlog backlog, RowsInFlight rows, NodeMeters meters) {

    /** For a node with this memory. */
    public static Commons of(MemoryBudget budget, PartitionSettings settings) {
        Backlog backlog = new Backlog(settings.logWaitMillis());
        RowsInFlight rows = new RowsInFlight(settings.log().maxRowsInFlight());
        return new Commons(budget, backlog, rows, new NodeMeters(budget, backlog, rows));
    }
}
