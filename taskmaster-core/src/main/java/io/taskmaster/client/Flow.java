package io.taskmaster.client;

import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The flow of tasks between families of queues, as a server sees it: the updates that dequeue from some and enqueue
 * into others. All of it is soft: counted in memory, and lost on a restart. A family may be split or merged when there
 * are more names. Immutable.
 *
 * @param at the time by the server's clock
 * @param familiesLeftOut the number of further families, with less traffic
 * @param handOffsLeftOut the number of further flows, with fewer tasks or of families that are left out
 * @param findings the problems of families, the most urgent first
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
     * A problem of a family in which tasks wait.
     *
     * @param verdict the reason why they wait
     * @param family the family
     * @param queues the number of its queues with this verdict; of a family that is behind, all
     * @param tasks the number of available tasks in them
     * @param queue of stuck queues, the one that has been stuck for the longest time
     * @param enqueueRate tasks per second that the family received in the last minute
     * @param dequeueRate tasks per second that were dequeued from it in the last minute
     * @param timeLeft the time that the tasks of a family that is behind take at the rate of dequeues; absent: none is
     *     dequeued
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
     * A family of queues. Sizes are current, with expiry and delays counted. Counts begin when the server opened the
     * partitions of the queues, so a rate is the difference of two of them.
     *
     * @param queues the number of its queues
     * @param leases the number of leases, without renewals
     * @param expired the number of leases that expired
     * @param ended the number of tasks that were dequeued by updates without enqueues
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
     * The flow from one family to another, or to itself.
     *
     * @param tasks the number of tasks that were enqueued in {@code to} by updates that dequeued from {@code from};
     *     fractional if an update dequeued from several families
     */
    public record HandOffs(FamilyName from, FamilyName to, double tasks) {}
}
