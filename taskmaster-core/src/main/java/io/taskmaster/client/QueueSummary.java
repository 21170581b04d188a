package io.taskmaster.client;

import io.taskmaster.model.QueueKey;

/**
 * The sizes of a queue. Time counts at once: a task whose lease has expired, or whose not-before time has come, is
 * available. Immutable.
 *
 * @param queue the queue
 * @param available the number of tasks that can be leased
 * @param leased the number of tasks under a lease
 * @param delayed the number of tasks with a not-before time in the future
 */
public record QueueSummary(QueueKey queue, long available, long leased, long delayed) {

    /** The number of tasks in all states. */
    public long total() {
        return available + leased + delayed;
    }
}
