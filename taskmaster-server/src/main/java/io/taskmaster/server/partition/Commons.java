package io.taskmaster.server.partition;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.server.partition.log.RowsInFlight;

/**
 * What the partitions of a node have in common: memory, the way to the store, and what they measure. Thread-safe.
 *
 * @param rows of all their logs
 * @param phases of all of them
 */
public record Commons(MemoryBudget budget, Backlog backlog, RowsInFlight rows, Phases phases, NodeMeters meters) {

    /** For partitions that nobody measures. */
    public static Commons of(MemoryBudget budget, PartitionSettings settings) {
        return of(budget, settings, new CompositeMeterRegistry());
    }

    /**
     * For a node with this memory.
     *
     * @param meters where all that it measures is registered
     */
    public static Commons of(MemoryBudget budget, PartitionSettings settings, MeterRegistry meters) {
        Backlog backlog = new Backlog(settings.logWaitMillis());
        RowsInFlight rows = new RowsInFlight(settings.log().maxRowsInFlight());
        Phases phases = new Phases();
        return new Commons(budget, backlog, rows, phases, new NodeMeters(meters, budget, backlog, rows, phases));
    }
}
