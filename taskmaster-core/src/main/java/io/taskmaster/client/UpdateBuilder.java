package io.taskmaster.client;

import io.taskmaster.client.Update.Dequeue;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.Release;
import io.taskmaster.client.Update.Renewal;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A builder of an {@link Update}. Single-threaded: owned by its caller. */
public final class UpdateBuilder {

    private final GroupName group;
    private final List<Enqueue> enqueues = new ArrayList<>();
    private final List<Dequeue> dequeues = new ArrayList<>();
    private final List<Renewal> renewals = new ArrayList<>();
    private final List<Release> releases = new ArrayList<>();
    private Optional<RequestId> requestId = Optional.empty();
    private ServiceClass serviceClass = ServiceClass.INTERACTIVE;

    UpdateBuilder(GroupName group) {
        this.group = group;
    }

    /** Adds an enqueue. */
    public UpdateBuilder enqueue(Enqueue enqueue) {
        enqueues.add(enqueue);
        return this;
    }

    /** Adds an enqueue. A task with this PID that is already queued stays as it is. */
    public UpdateBuilder enqueue(QueueName queue, Pid pid, Bytes data) {
        return enqueue(Enqueue.of(queue, pid, data));
    }

    /** Adds an enqueue at the end of the queue. */
    public UpdateBuilder enqueue(QueueName queue, Bytes data) {
        return enqueue(Enqueue.fifo(queue, data));
    }

    /**
     * Adds the dequeue of a leased task. If its lease is not the newest any more, the whole update is refused.
     *
     * @throws IllegalArgumentException if the task belongs to another group
     */
    public UpdateBuilder dequeue(LeasedTask task) {
        return dequeue(queueOf(task), task.pid(), task.leaseId());
    }

    /** Adds the dequeue of a task under a lease, or {@link Update#UNCONDITIONAL}. */
    public UpdateBuilder dequeue(QueueName queue, Pid pid, long leaseId) {
        dequeues.add(new Dequeue(queue, pid, leaseId));
        return this;
    }

    /** Adds the renewal of a lease: it expires this time from now. */
    public UpdateBuilder renew(LeasedTask task, Duration length) {
        return renew(queueOf(task), task.pid(), task.leaseId(), length);
    }

    /** Adds the renewal of a lease: it expires this time from now. */
    public UpdateBuilder renew(QueueName queue, Pid pid, long leaseId, Duration length) {
        renewals.add(new Renewal(queue, pid, leaseId, length));
        return this;
    }

    /** Adds the release of a leased task, which is available again at once. */
    public UpdateBuilder release(LeasedTask task) {
        return release(queueOf(task), task.pid(), task.leaseId());
    }

    /** Adds the release of a leased task with a not-before time, by the server's clock. */
    public UpdateBuilder release(LeasedTask task, Instant notBefore) {
        return release(new Release(queueOf(task), task.pid(), task.leaseId(), Optional.of(notBefore), false));
    }

    /** Adds the release of a leased task that no handler has had: the lease does not count as an attempt. */
    public UpdateBuilder releaseUntried(LeasedTask task) {
        return release(new Release(queueOf(task), task.pid(), task.leaseId(), Optional.empty(), true));
    }

    /** Adds the release of a task under a lease, or {@link Update#UNCONDITIONAL}; it is available again at once. */
    public UpdateBuilder release(QueueName queue, Pid pid, long leaseId) {
        return release(new Release(queue, pid, leaseId, Optional.empty(), false));
    }

    /** Adds a release. */
    public UpdateBuilder release(Release release) {
        releases.add(release);
        return this;
    }

    /**
     * Sets the request id, so that the update is applied once however often it is sent. Default: the client decides.
     */
    public UpdateBuilder requestId(RequestId id) {
        requestId = Optional.of(id);
        return this;
    }

    /** Sets the class under overload. Default: interactive. */
    public UpdateBuilder serviceClass(ServiceClass urgency) {
        serviceClass = urgency;
        return this;
    }

    /** Builds the update. */
    public Update build() {
        return new Update(group, enqueues, dequeues, renewals, releases, requestId, serviceClass);
    }

    private QueueName queueOf(LeasedTask task) {
        if (!task.queue().group().equals(group)) {
            throw new IllegalArgumentException("task.group: %s (expected: %s, the group of the update)"
                    .formatted(task.queue().group(), group));
        }
        return task.queue().name();
    }
}
