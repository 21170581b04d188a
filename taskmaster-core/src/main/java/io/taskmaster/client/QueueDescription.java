package io.taskmaster.client;

import io.taskmaster.model.Pid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that is known about one queue. Sizes are exact; rates are approximate, in tasks per second over about a minute. Immutable.
 *
 * @param meanLease from lease to dequeue; absent if nothing was dequeued under a lease yet
 * @param oldestAvailableAge absent if nothing is available
 * @param expiredLeases since the node started
 * @param options the lasting ones; for totals the defaults
 * @param node which node serves the queue; absent for totals
 */
public record QueueDescription(
        QueueSummary summary,
        double enqueueRate,
        double leaseRate,
        double dequeueRate,
        Optional<Duration> meanLease,
        Optional<Duration> oldestAvailableAge,
        long expiredLeases,
        long generation,
        QueueOptions options,
        List<LeaseSample> leasedSample,
        Optional<String> node) {

    public QueueDescription {
        leasedSample = List.copyOf(leasedSample);
    }

    /**
     * A leased task, and who has it.
     *
     * @param leaseId of this lease, by which it can be released and no later one
     * @param address where the worker called from
     */
    public record LeaseSample(
            Pid pid, long leaseId, String worker, String address, Instant leased, Instant leaseExpires, int attempt) {}
}
