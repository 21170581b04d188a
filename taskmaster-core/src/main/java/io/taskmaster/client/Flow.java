package io.taskmaster.client;

import io.taskmaster.model.FamilyName;
import java.time.Instant;
import java.util.List;

/**
 * How tasks flow between families of queues, as a server sees it: the updates that dequeue from some and enqueue into others. Everything is soft: counted in memory,
 * and lost on a restart; a family may be divided or joined with others when there are more names. Immutable.
 *
 * @param at by the server's clock
 * @param familiesLeftOut so many more there are, in which less went on
 * @param handOffsLeftOut so many more there are, of fewer tasks, or with families that are left out
 */
public record Flow(
        Instant at, List<Family> families, List<HandOffs> handOffs, int familiesLeftOut, long handOffsLeftOut) {

    public Flow {
        families = List.copyOf(families);
        handOffs = List.copyOf(handOffs);
    }

    /**
     * Queues that are named alike. Sizes are those of now, with time counted. Counts are of what happened since the server opened the queues' partition, so that rates are
     * the differences of two of them.
     *
     * @param queues how many there are
     * @param leases without renewals
     * @param expired leases that ran out
     * @param ended tasks that were dequeued by updates that enqueued nothing
     */
    public record Family(
            FamilyName name,
            long queues,
            long available,
            long leased,
            long delayed,
            long enqueued,
            long leases,
            long dequeued,
            long expired,
            long ended) {}

    /**
     * From one family to another, or to itself.
     *
     * @param tasks that were enqueued in {@code to} by updates that dequeued from {@code from}; shares of them, where other families gave them, too
     */
    public record HandOffs(FamilyName from, FamilyName to, double tasks) {}
}
