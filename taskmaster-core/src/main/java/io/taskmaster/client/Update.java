package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Any number of enqueues, dequeues, renewals and releases in the queues of one consistency group, applied all or not at all (paper
 * section 3.4). The elements are judged renewals first, then releases, dequeues and enqueues; each sees those before it, so a
 * dequeue and an enqueue of the same (queue, PID) replace the task. Immutable.
 */
public record Update(
        GroupName group,
        List<Enqueue> enqueues,
        List<Dequeue> dequeues,
        List<Renewal> renewals,
        List<Release> releases) {

    public Update {
        enqueues = List.copyOf(enqueues);
        dequeues = List.copyOf(dequeues);
        renewals = List.copyOf(renewals);
        releases = List.copyOf(releases);
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
     */
    public record Enqueue(
            QueueName queue, Optional<Pid> pid, Bytes data, Map<String, String> headers, IfExists ifExists) {

        public Enqueue {
            headers = Map.copyOf(headers);
        }

        /** A task in its place in the order; one that is there already stays as it is. */
        public static Enqueue of(QueueName queue, Pid pid, Bytes data) {
            return new Enqueue(queue, Optional.of(pid), data, Map.of(), IfExists.COLLAPSE);
        }

        /** A task at the end of the queue. */
        public static Enqueue fifo(QueueName queue, Bytes data) {
            return new Enqueue(queue, Optional.empty(), data, Map.of(), IfExists.COLLAPSE);
        }

        /** The same, with something else to do about a task of this PID that is there already. */
        public Enqueue ifExists(IfExists what) {
            return new Enqueue(queue, pid, data, headers, what);
        }

        /** The same, with headers that are carried with the task. */
        public Enqueue headers(Map<String, String> carried) {
            return new Enqueue(queue, pid, data, carried, ifExists);
        }
    }

    /** What an enqueue does when its (queue, PID) is there already. */
    public enum IfExists {
        /** Keeps what is there. */
        COLLAPSE,
        /** Puts the new data in its place, unless it is leased: then the whole update is refused. */
        REPLACE,
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
     */
    public record Release(QueueName queue, Pid pid, long leaseId) {}

    /** In place of a lease id: do it whoever holds the task. For administration. */
    public static final long UNCONDITIONAL = 0;
}
