package io.taskmaster.client;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks for the first available tasks of one or more queues, taken in turn from each. Immutable: a method that sets something
 * returns a changed copy.
 *
 * @param maxTasks over all queues together
 * @param length how long the tasks are ours
 * @param maxPid only tasks up to and including this PID
 * @param maxWait long poll: how long the server waits for a first task; zero: not at all
 * @param maxBytes of data; 0: what the server thinks right (3 MiB); at least one task comes
 * @param worker a name for humans; absent: that of the client
 * @param maxLeasedPerQueue never lease a queue beyond so many live leases, those of this request included; 0: no cap. With a
 *     pattern over many queues: so many at a time per key
 */
public record LeaseRequest(
        QueueSelector queues,
        int maxTasks,
        Duration length,
        Optional<Pid> maxPid,
        Duration maxWait,
        int maxBytes,
        Optional<String> worker,
        int maxLeasedPerQueue,
        ServiceClass serviceClass)
        implements BatchOperation {

    /** How long a lease is that says nothing else. */
    public static final Duration DEFAULT_LENGTH = Duration.ofSeconds(60);

    public LeaseRequest {
        if (maxTasks < 1) {
            throw new IllegalArgumentException("maxTasks: %d (expected: 1 or more)".formatted(maxTasks));
        }
        if (maxBytes < 0) {
            throw new IllegalArgumentException("maxBytes: %d (expected: 0 or more)".formatted(maxBytes));
        }
        if (maxLeasedPerQueue < 0) {
            throw new IllegalArgumentException(
                    "maxLeasedPerQueue: %d (expected: 0 or more)".formatted(maxLeasedPerQueue));
        }
    }

    /** One task, for a minute, without waiting for it. */
    public static LeaseRequest from(QueueSelector queues) {
        return new LeaseRequest(
                queues,
                1,
                DEFAULT_LENGTH,
                Optional.empty(),
                Duration.ZERO,
                0,
                Optional.empty(),
                0,
                ServiceClass.INTERACTIVE);
    }

    /** One task, for a minute, without waiting for it. */
    public static LeaseRequest from(QueueKey queue) {
        return from(QueueSelector.of(queue));
    }

    public LeaseRequest maxTasks(int tasks) {
        return new LeaseRequest(
                queues, tasks, length, maxPid, maxWait, maxBytes, worker, maxLeasedPerQueue, serviceClass);
    }

    public LeaseRequest length(Duration span) {
        return new LeaseRequest(
                queues, maxTasks, span, maxPid, maxWait, maxBytes, worker, maxLeasedPerQueue, serviceClass);
    }

    public LeaseRequest maxPid(Pid last) {
        return new LeaseRequest(
                queues,
                maxTasks,
                length,
                Optional.of(last),
                maxWait,
                maxBytes,
                worker,
                maxLeasedPerQueue,
                serviceClass);
    }

    public LeaseRequest maxWait(Duration span) {
        return new LeaseRequest(
                queues, maxTasks, length, maxPid, span, maxBytes, worker, maxLeasedPerQueue, serviceClass);
    }

    public LeaseRequest maxBytes(int bytes) {
        return new LeaseRequest(
                queues, maxTasks, length, maxPid, maxWait, bytes, worker, maxLeasedPerQueue, serviceClass);
    }

    public LeaseRequest worker(String name) {
        return new LeaseRequest(
                queues,
                maxTasks,
                length,
                maxPid,
                maxWait,
                maxBytes,
                Optional.of(name),
                maxLeasedPerQueue,
                serviceClass);
    }

    public LeaseRequest maxLeasedPerQueue(int tasks) {
        return new LeaseRequest(queues, maxTasks, length, maxPid, maxWait, maxBytes, worker, tasks, serviceClass);
    }

    public LeaseRequest serviceClass(ServiceClass urgency) {
        return new LeaseRequest(
                queues, maxTasks, length, maxPid, maxWait, maxBytes, worker, maxLeasedPerQueue, urgency);
    }
}
