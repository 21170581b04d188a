package io.taskmaster.client;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;

/**
 * A request to see tasks in PID order without leasing them. Immutable: a method that sets a value returns a changed
 * copy.
 *
 * @param queue the queue
 * @param from the first PID to show, if it is queued; default the head of the queue
 * @param maxTasks the maximum number of tasks; 0: the server's default (100)
 * @param withData whether to return the data; default false
 * @param maxBytes the maximum size of the data, in bytes, though at least one task is returned; 0: the server's default
 *     (3 MiB)
 */
public record PeekRequest(QueueKey queue, Pid from, int maxTasks, boolean withData, int maxBytes) {

    public PeekRequest {
        if (maxTasks < 0 || maxBytes < 0) {
            throw new IllegalArgumentException(
                    "maxTasks, maxBytes: %d, %d (expected: 0 or more)".formatted(maxTasks, maxBytes));
        }
    }

    /** Returns a request for the head of a queue, without data. */
    public static PeekRequest of(QueueKey queue) {
        return new PeekRequest(queue, Pid.EMPTY, 0, false, 0);
    }

    /** Sets the first PID to show. */
    public PeekRequest from(Pid first) {
        return new PeekRequest(queue, first, maxTasks, withData, maxBytes);
    }

    /** Sets the maximum number of tasks. */
    public PeekRequest maxTasks(int tasks) {
        return new PeekRequest(queue, from, tasks, withData, maxBytes);
    }

    /** Sets whether to return the data. */
    public PeekRequest withData(boolean include) {
        return new PeekRequest(queue, from, maxTasks, include, maxBytes);
    }

    /** Sets the maximum size of the data, in bytes. */
    public PeekRequest maxBytes(int bytes) {
        return new PeekRequest(queue, from, maxTasks, withData, bytes);
    }
}
