package io.taskmaster.client;

import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How tasks flow between families of queues, as a server sees it: the updates that dequeue from some and enqueue into others. Everything is soft: counted in memory,
 * and lost on a restart; a family may be divided or joined with others when there are more names. Immutable.
 *
 * @param at by the server's clock
 * @param familiesLeftOut so many more there are, in which less went on
 * @param handOffsLeftOut so many more there are, of fewer tasks, or with families that are left out
 * @param findings what is to be said of families, the most urgent first
 */
public record Flow(
        Instant at,
        List<Family> families,
        List<HandOffs> handOffs,
        int familiesLeftOut,
        long handOffsLeftOut,
        List<Finding> findings) {

    public Flow {
        families = List.copyOf(families);
        handOffs = List.copyOf(handOffs);
        findings = List.copyOf(findings);
    }

    /**
     * Tasks of a family that wait, and why.
     *
     * @param queues of the family that have this verdict; of a family that is behind, all
     * @param tasks that are available there
     * @param queue of stuck ones, that which is stuck longest
     * @param enqueueRate of the family in the last minute, tasks per second
     * @param timeLeft how long the tasks of a family that is behind take at the rate of dequeues; absent: none is dequeued
     */
    public record Finding(
            QueueVerdict verdict,
            FamilyName family,
            long queues,
            long tasks,
            Optional<QueueKey> queue,
            double enqueueRate,
            double dequeueRate,
            Optional<Duration> timeLeft) {}

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
