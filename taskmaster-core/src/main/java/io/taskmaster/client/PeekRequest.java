package io.taskmaster.client;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;

/**
 * Asks to see tasks in PID order without leasing them. Immutable: a method that sets something returns a changed copy.
 *
 * @param from the first PID to show, if it is there
 * @param maxTasks 0: what the server thinks right (100)
 * @param maxBytes of data; 0: what the server thinks right (3 MiB); at least one task comes
 */
public record PeekRequest(QueueKey queue, Pid from, int maxTasks, boolean withData, int maxBytes) {

    public PeekRequest {
        if (maxTasks < 0 || maxBytes < 0) {
            throw new IllegalArgumentException(
                    "maxTasks, maxBytes: %d, %d (expected: 0 or more)".formatted(maxTasks, maxBytes));
        }
    }

    /** The head of a queue, without data. */
    public static PeekRequest of(QueueKey queue) {
        return new PeekRequest(queue, Pid.EMPTY, 0, false, 0);
    }

    public PeekRequest from(Pid first) {
        return new PeekRequest(queue, first, maxTasks, withData, maxBytes);
    }

    public PeekRequest maxTasks(int tasks) {
        return new PeekRequest(queue, from, tasks, withData, maxBytes);
    }

    public PeekRequest withData(boolean wanted) {
        return new PeekRequest(queue, from, maxTasks, wanted, maxBytes);
    }

    public PeekRequest maxBytes(int bytes) {
        return new PeekRequest(queue, from, maxTasks, withData, bytes);
    }
}
