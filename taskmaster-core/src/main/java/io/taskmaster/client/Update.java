package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Any number of enqueues, dequeues, renewals and releases in the queues of one consistency group, applied all or not at all (paper
 * section 3.4). The elements are judged renewals first, then releases, dequeues and enqueues; each sees those before it, so a
 * dequeue and an enqueue of the same (queue, PID) replace the task. Immutable.
 *
 * @param requestId under which the server remembers the update, so that it is applied once however often it is sent; absent: the
 *     client gives it one as {@link TaskMasterClientBuilder#requestIds} says
 */
public record Update(
        GroupName group,
        List<Enqueue> enqueues,
        List<Dequeue> dequeues,
        List<Renewal> renewals,
        List<Release> releases,
        Optional<RequestId> requestId,
        ServiceClass serviceClass)
        implements BatchOperation {

    public Update {
        enqueues = List.copyOf(enqueues);
        dequeues = List.copyOf(dequeues);
        renewals = List.copyOf(renewals);
        releases = List.copyOf(releases);
    }

    /**
     * Whether the update, sent twice without a request id, is applied at most once whatever others do in between.
     *
     * <ul>
     *   <li>One with a dequeue or release under a lease is, all of it: applied, it ends that lease, and no later lease has the same
     *       id, so the second is refused as a whole. It is the hand-off of the paper (section 3.4).
     *   <li>One of renewals alone is: a renewal counts from now.
     *   <li>Every other is not: a FIFO enqueue would be queued twice; one with a PID could be leased, done and dequeued in between,
     *       and would then come again; an unconditional dequeue or release could hit a task that is not the same any more.
     * </ul>
     */
    public boolean isIdempotent() {
        return (enqueues.isEmpty() && dequeues.isEmpty() && releases.isEmpty())
                || dequeues.stream().anyMatch(dequeue -> dequeue.leaseId() != UNCONDITIONAL)
                || releases.stream().anyMatch(release -> release.leaseId() != UNCONDITIONAL);
    }

    /** The same update under a request id. */
    public Update requestId(RequestId id) {
        return new Update(group, enqueues, dequeues, renewals, releases, Optional.of(id), serviceClass);
    }

    /** Starts an update of the queues of one group. */
    public static UpdateBuilder in(GroupName group) {
        return new UpdateBuilder(group);
    }

    /** Starts an update of the queues of one group. */
    public static UpdateBuilder in(String group) {
        return in(GroupName.of(group));
    }

    /** Starts an update of the queues of the default group. */
    public static UpdateBuilder inDefaultGroup() {
        return in(GroupName.EMPTY);
    }

    /**
     * A new task.
     *
     * @param pid absent: the server assigns one behind all that it assigned before in this queue (FIFO)
     * @param notBefore from when on it can be leased, by the server's clock; absent, or past: at once
     */
    public record Enqueue(
            QueueName queue,
            Optional<Pid> pid,
            Bytes data,
            Map<String, String> headers,
            IfExists ifExists,
            Optional<Instant> notBefore) {

        public Enqueue {
            headers = Map.copyOf(headers);
        }

        /** A task in its place in the order; one that is there already stays as it is. */
        public static Enqueue of(QueueName queue, Pid pid, Bytes data) {
            return new Enqueue(queue, Optional.of(pid), data, Map.of(), IfExists.COLLAPSE, Optional.empty());
        }

        /** A task at the end of the queue. */
        public static Enqueue fifo(QueueName queue, Bytes data) {
            return new Enqueue(queue, Optional.empty(), data, Map.of(), IfExists.COLLAPSE, Optional.empty());
        }

        /** The same, with something else to do about a task of this PID that is there already. */
        public Enqueue ifExists(IfExists what) {
            return new Enqueue(queue, pid, data, headers, what, notBefore);
        }

        /** The same, with headers that are carried with the task. */
        public Enqueue headers(Map<String, String> carried) {
            return new Enqueue(queue, pid, data, carried, ifExists, notBefore);
        }

        /** The same, delayed: queued and counted, but not available before this point of time by the server's clock. */
        public Enqueue notBefore(Instant time) {
            return new Enqueue(queue, pid, data, headers, ifExists, Optional.of(time));
        }
    }

    /** What an enqueue does when its (queue, PID) is there already. */
    public enum IfExists {
        /** Keeps what is there. */
        COLLAPSE,
        /** Puts the new data in its place, unless it is leased: then the whole update is refused. */
        REPLACE,
        /**
         * Puts the new data in its place, or, while it is leased, keeps the newest such enqueue beside it, to take its place when it
         * is dequeued: once while queued, and once more after the one that is running. Status {@code OK} either way.
         */
        RERUN,
        /** The whole update is refused. */
        FAIL
    }

    /**
     * The end of a task.
     *
     * @param leaseId the lease that must still be the task's newest; {@link #UNCONDITIONAL}: whoever holds it
     */
    public record Dequeue(QueueName queue, Pid pid, long leaseId) {}

    /**
     * A lease made longer, or shorter. One that comes too late is reported and does not refuse the update.
     *
     * @param length from now
     */
    public record Renewal(QueueName queue, Pid pid, long leaseId, Duration length) {}

    /**
     * A lease given up: the task is available again, in its own place.
     *
     * @param leaseId the lease that must still be the task's newest; {@link #UNCONDITIONAL}: whoever holds it
     * @param notBefore from when on it can be leased again, by the server's clock; absent, or past: at once
     * @param untried whether nobody has worked on it, so that the lease does not count as an attempt
     */
    public record Release(QueueName queue, Pid pid, long leaseId, Optional<Instant> notBefore, boolean untried) {}

    /** In place of a lease id: do it whoever holds the task. For administration. */
    public static final long UNCONDITIONAL = 0;
}
