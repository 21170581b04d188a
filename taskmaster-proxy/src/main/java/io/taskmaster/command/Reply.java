package io.taskmaster.command;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.util.List;
import java.util.Optional;

/** The answer of a partition; one kind per kind of {@link Command}. Times are milliseconds since 1970. Immutable. */
public sealed interface Reply {

    /**
     * The answer to {@link Command.Update}.
     *
     * @param success false: nothing but valid renewals was applied
     * @param assignedPids one per enqueue; empty when refused
     */
    record Updated(
            boolean success,
            List<Status> enqueues,
            List<Status> dequeues,
            List<Status> renewals,
            List<Status> releases,
            List<Pid> assignedPids)
            implements Reply {}

    /** The outcome of one element of an update, in the words of the contract. */
    enum Status {
        OK,
        COLLAPSED,
        ALREADY_EXISTS,
        LEASED,
        NOT_FOUND,
        LEASE_LOST,
        LEASE_EXPIRED,
        ABORTED;

        /** Returns whether this status refuses the whole update. */
        public boolean refuses() {
            return this == ALREADY_EXISTS || this == LEASED || this == NOT_FOUND || this == LEASE_LOST;
        }
    }

    /** The overhead of a task in a reply: its numbers and times, and the tags and lengths of its fields, in bytes. */
    long FRAME_BYTES = 80;

    /** The answer to {@link Command.Lease}; empty when there was nothing to lease. */
    record Leased(List<LeasedTask> tasks) implements Reply {}

    /** The answer to {@link Command.Watch}: whether there was something to lease when this was decided. */
    record Watched(boolean found) implements Reply {}

    record LeasedTask(
            QueueKey queue,
            Pid pid,
            Payload payload,
            long leaseId,
            long expiresMillis,
            int attempt,
            long enqueuedMillis) {

        /** Returns an estimate of its bytes in a reply on the wire. */
        public long replyBytes() {
            return replyBytesOf(queue, pid, payload);
        }
    }

    /** Returns an estimate of the bytes of a task in a reply on the wire, at most. */
    static long replyBytesOf(QueueKey queue, Pid pid, Payload payload) {
        return FRAME_BYTES + queue.group().size() + queue.name().size() + pid.size() + payload.bytes();
    }

    /**
     * The answer to {@link Command.ListQueues}.
     *
     * @param more whether queues behind the last one were cut off
     */
    record Listed(List<Summary> queues, boolean more) implements Reply {}

    /**
     * The sizes of a queue, with time counted at once: under an expired lease or past its delay, a task is available.
     */
    record Summary(QueueKey queue, long available, long leased, long delayed) {

        public long total() {
            return available + leased + delayed;
        }
    }

    /**
     * The answer to {@link Command.Describe}.
     *
     * @param total over all matched queues, shown or not
     * @param matched the number of queues that matched
     */
    record Described(List<Description> queues, Description total, long matched) implements Reply {}

    /**
     * The description of a queue, or the sum over several.
     *
     * @param oldestAvailableAgeMillis age of the oldest available task among the known head of the queue; absent if
     *     none
     * @param meanLeaseMillis from lease to dequeue; absent if nothing was dequeued under a lease yet
     * @param counts of events since the queue is in memory
     */
    record Description(
            Summary summary,
            double enqueueRate,
            double leaseRate,
            double dequeueRate,
            Optional<Double> meanLeaseMillis,
            Optional<Long> oldestAvailableAgeMillis,
            Counts counts,
            long generation,
            QueueOptions options,
            List<LeaseSample> leasedSample) {

        /** The time constant of rates: an event counts as e<sup>-age / window</sup>. */
        public static final double RATE_WINDOW_MILLIS = 60_000;
    }

    record LeaseSample(
            Pid pid, long leaseId, String worker, String address, long leasedMillis, long expiresMillis, int attempt) {}

    /**
     * The answer to {@link Command.Peek}.
     *
     * @param next where to go on; absent: the end was reached
     */
    record Peeked(List<PeekedTask> tasks, Optional<Pid> next) implements Reply {}

    /**
     * A task that a peek shows.
     *
     * @param payload without its data if they were not requested
     * @param untilMillis when the lease expires or the delay is over; 0 if it is available
     */
    record PeekedTask(
            Pid pid,
            Payload payload,
            long dataBytes,
            TaskPhase phase,
            long enqueuedMillis,
            long untilMillis,
            int attempt) {}

    /** The state of a task, as peek shows it. */
    enum TaskPhase {
        AVAILABLE,
        LEASED,
        DELAYED
    }

    /** The answer to {@link Command.Configure}: the options are set. */
    record Configured() implements Reply {}

    /** The answer to {@link Command.Delete}: the sizes that each deleted queue had. */
    record Deleted(List<Summary> queues) implements Reply {}
}
