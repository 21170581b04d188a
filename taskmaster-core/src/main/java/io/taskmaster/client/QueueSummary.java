package io.taskmaster.client;

import io.taskmaster.model.QueueKey;

/** The sizes of a queue. Time counts at once: a task whose lease has expired is available. Immutable. */
public record QueueSummary(QueueKey queue, long available, long leased, long delayed) {

    public long total() {
        return available + leased + delayed;
    }
}
