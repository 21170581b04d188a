package io.taskmaster.server.partition.context;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.server.partition.budget.LogBackpressure;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.log.RowsInFlight;

/**
 * The resources that all partitions of a node share: memory, the bounds on log writes, and meters. Thread-safe.
 *
 * @param rows the permits of rows in flight of all their logs
 * @param phases the phases of all of them
 */
public record NodeResources(
        MemoryBudget budget, LogBackpressure logBackpressure, RowsInFlight rows, Phases phases, NodeMeters meters) {

    /** Creates the resources of partitions whose meters are not registered anywhere. */
    public static NodeResources of(MemoryBudget budget, PartitionSettings settings) {
        return of(budget, settings, new CompositeMeterRegistry());
    }

    /**
     * Creates the resources of a node with this memory budget.
     *
     * @param meters the registry of all its meters
     */
    public static NodeResources of(MemoryBudget budget, PartitionSettings settings, MeterRegistry meters) {
        LogBackpressure logBackpressure = new LogBackpressure(settings.logWaitMillis());
        RowsInFlight rows = new RowsInFlight(settings.log().maxRowsInFlight());
        Phases phases = new Phases();
        return new NodeResources(
                budget, logBackpressure, rows, phases, new NodeMeters(meters, budget, logBackpressure, rows, phases));
    }
}
