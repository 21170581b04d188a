package io.taskmaster.client;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.util.Optional;

/**
 * A request for the first available tasks of one or more queues, round-robin over the queues. Immutable: a method that
 * sets a value returns a changed copy.
 *
 * @param queues the queues; at least one must be selected
 * @param maxTasks the maximum number of tasks, of all queues together; default 1. The server accepts up to 10,000
 * @param length the length of the leases; default 60 s. The server accepts up to 7 days
 * @param maxPid the largest PID, inclusive; absent: no limit
 * @param maxWait long poll: the time that the server waits for a first task, up to 60 s; default zero: not at all
 * @param maxBytes the maximum size of the data, in bytes, though at least one task is returned; 0: the server's default
 *     (3 MiB)
 * @param worker a name of the worker for people; absent: that of the client
 * @param maxLeasedPerQueue the maximum number of live leases per queue, those of this request included; 0: no limit.
 *     With a pattern and a queue per key it limits the concurrency per key
 * @param serviceClass the class under overload; default {@code INTERACTIVE}
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

    /** The default length of a lease. */
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

    /** Returns a request for one task, for a minute, without a wait. */
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

    /** Returns a request for one task, for a minute, without a wait. */
    public static LeaseRequest from(QueueKey queue) {
        return from(QueueSelector.of(queue));
    }

    /** Sets the maximum number of tasks, of all queues together, 1 or more. */
    public LeaseRequest maxTasks(int tasks) {
        return new LeaseRequest(
                queues, tasks, length, maxPid, maxWait, maxBytes, worker, maxLeasedPerQueue, serviceClass);
    }

    /** Sets the length of the leases. The server accepts up to 7 days. */
    public LeaseRequest length(Duration span) {
        return new LeaseRequest(
                queues, maxTasks, span, maxPid, maxWait, maxBytes, worker, maxLeasedPerQueue, serviceClass);
    }

    /** Sets the largest PID, inclusive. */
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

    /** Sets the time that the server waits for a first task (long poll), up to 60 s. */
    public LeaseRequest maxWait(Duration span) {
        return new LeaseRequest(
                queues, maxTasks, length, maxPid, span, maxBytes, worker, maxLeasedPerQueue, serviceClass);
    }

    /** Sets the maximum size of the data, in bytes, 0 for the server's default. At least one task is returned. */
    public LeaseRequest maxBytes(int bytes) {
        return new LeaseRequest(
                queues, maxTasks, length, maxPid, maxWait, bytes, worker, maxLeasedPerQueue, serviceClass);
    }

    /** Sets the name of the worker, for people. */
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

    /** Sets the maximum number of live leases per queue, those of this request included; 0: no limit. */
    public LeaseRequest maxLeasedPerQueue(int tasks) {
        return new LeaseRequest(queues, maxTasks, length, maxPid, maxWait, maxBytes, worker, tasks, serviceClass);
    }

    /** Sets the class under overload. */
    public LeaseRequest serviceClass(ServiceClass urgency) {
        return new LeaseRequest(
                queues, maxTasks, length, maxPid, maxWait, maxBytes, worker, maxLeasedPerQueue, urgency);
    }
}
