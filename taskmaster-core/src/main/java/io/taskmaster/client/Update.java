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
 * A set of enqueues, dequeues, renewals and releases in the queues of one consistency group, applied all or none (paper
 * section 3.4). They are evaluated in the order renewals, releases, dequeues, enqueues. Each element sees the effects
 * of those before it, so a dequeue and an enqueue of the same (queue, PID) replace the task. Immutable.
 *
 * @param group the consistency group
 * @param requestId the id under which the server remembers the update, so that it is applied once however often it is
 *     sent; absent: the client assigns one as {@link TaskMasterClientBuilder#requestIds} says
 * @param serviceClass the class under overload; default {@code INTERACTIVE}
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
     * Returns whether the update, sent twice without a request id, is applied at most once, whatever other clients do
     * in between.
     *
     * <ul>
     *   <li>An update with a dequeue or a release under a lease is idempotent as a whole. If applied, it ends that
     *       lease, and no later lease has the same id, so the second is refused as a whole. It is the hand-off of the
     *       paper (section 3.4).
     *   <li>An update of renewals alone is idempotent: a renewal counts from now.
     *   <li>Every other is not. A FIFO enqueue would be queued twice. One with a PID could be leased, done and dequeued
     *       in between, and would then be enqueued again. An unconditional dequeue or release could hit a different
     *       task.
     * </ul>
     */
    public boolean isIdempotent() {
        return (enqueues.isEmpty() && dequeues.isEmpty() && releases.isEmpty())
                || dequeues.stream().anyMatch(dequeue -> dequeue.leaseId() != UNCONDITIONAL)
                || releases.stream().anyMatch(release -> release.leaseId() != UNCONDITIONAL);
    }

    /** Sets the request id. */
    public Update requestId(RequestId id) {
        return new Update(group, enqueues, dequeues, renewals, releases, Optional.of(id), serviceClass);
    }

    /** Starts to build an update of the queues of one group. */
    public static UpdateBuilder in(GroupName group) {
        return new UpdateBuilder(group);
    }

    /** Starts to build an update of the queues of one group. */
    public static UpdateBuilder in(String group) {
        return in(GroupName.of(group));
    }

    /** Starts to build an update of the queues of the default group. */
    public static UpdateBuilder inDefaultGroup() {
        return in(GroupName.EMPTY);
    }

    /**
     * A new task.
     *
     * @param pid the PID; absent: the server assigns one behind all that it has assigned in this queue (FIFO)
     * @param ifExists the action if the PID is queued already; default {@code COLLAPSE}
     * @param notBefore the not-before time, by the server's clock; absent, or past: available at once
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

        /** Returns an enqueue with a PID. A task with this PID that is already queued stays as it is. */
        public static Enqueue of(QueueName queue, Pid pid, Bytes data) {
            return new Enqueue(queue, Optional.of(pid), data, Map.of(), IfExists.COLLAPSE, Optional.empty());
        }

        /** Returns an enqueue at the end of the queue. */
        public static Enqueue fifo(QueueName queue, Bytes data) {
            return new Enqueue(queue, Optional.empty(), data, Map.of(), IfExists.COLLAPSE, Optional.empty());
        }

        /** Sets the action if the PID is queued already. */
        public Enqueue ifExists(IfExists ifExists) {
            return new Enqueue(queue, pid, data, headers, ifExists, notBefore);
        }

        /** Sets the headers that the task carries. */
        public Enqueue headers(Map<String, String> carried) {
            return new Enqueue(queue, pid, data, carried, ifExists, notBefore);
        }

        /**
         * Sets the not-before time: the task is queued and counted, but not available before it, by the server's clock.
         */
        public Enqueue notBefore(Instant time) {
            return new Enqueue(queue, pid, data, headers, ifExists, Optional.of(time));
        }
    }

    /** The action of an enqueue whose (queue, PID) is queued already. */
    public enum IfExists {
        /** The task that is queued stays. */
        COLLAPSE,
        /** The new data replace it, unless it is leased: then the whole update is refused. */
        REPLACE,
        /**
         * The new data replace it. While it is leased, the newest such enqueue is kept beside it and takes its place
         * when it is dequeued: so it runs once while queued, and once more after the run in progress. The status is
         * {@code OK} in both cases.
         */
        RERUN,
        /** The whole update is refused. */
        FAIL
    }

    /**
     * The removal of a task.
     *
     * @param leaseId the lease that must still be the task's newest; {@link #UNCONDITIONAL}: whatever its lease
     */
    public record Dequeue(QueueName queue, Pid pid, long leaseId) {}

    /**
     * The renewal of a lease, which may also shorten it. A late one is reported and does not refuse the update.
     *
     * @param length the time to its expiry, from now
     */
    public record Renewal(QueueName queue, Pid pid, long leaseId, Duration length) {}

    /**
     * The end of a lease: the task is available again, in its own place in the order.
     *
     * @param leaseId the lease that must still be the task's newest; {@link #UNCONDITIONAL}: whatever its lease
     * @param notBefore the not-before time, by the server's clock; absent, or past: available at once
     * @param untried whether no handler has had the task, so that the lease does not count as an attempt
     */
    public record Release(QueueName queue, Pid pid, long leaseId, Optional<Instant> notBefore, boolean untried) {}

    /** The value in place of a lease id for an action whatever the task's lease. For administration. */
    public static final long UNCONDITIONAL = 0;
}
