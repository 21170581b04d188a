package io.taskmaster.client;

import io.taskmaster.model.QueueKey;

/**
 * The sizes of a queue. Time counts at once: a task whose lease has expired, or whose time has come, is available. Immutable.
 *
 * @param delayed not available before a point of time that has not come
 */
public record QueueSummary(QueueKey queue, long available, long leased, long delayed) {

    public long total() {
        return available + leased + delayed;
    }
}
