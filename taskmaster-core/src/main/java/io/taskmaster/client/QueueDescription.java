package io.taskmaster.client;

import io.taskmaster.model.Pid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The description of one queue. Sizes are exact. Rates are approximate, in tasks per second over about a minute.
 * Immutable.
 *
 * @param summary the name and the sizes
 * @param meanLease the mean time from lease to dequeue; absent until a task was dequeued under a lease
 * @param oldestAvailableAge the age of the oldest available task; absent if there is none
 * @param expiredLeases the number of leases that expired since the node started
 * @param generation the generation of the queue; a new queue of the same name has another
 * @param options the options; for totals the defaults
 * @param leasedSample some of its leases
 * @param node the node that serves the queue; absent for totals
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
     * A leased task and its holder.
     *
     * @param leaseId the id of this lease, with which exactly this lease can be released
     * @param worker the name of the worker
     * @param address the network address of the worker
     */
    public record LeaseSample(
            Pid pid, long leaseId, String worker, String address, Instant leased, Instant leaseExpires, int attempt) {}
}
