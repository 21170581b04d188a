package io.taskmaster.client;

import java.util.Optional;

/**
 * Asks for the names and sizes of queues. Immutable: a method that sets something returns a changed copy.
 *
 * @param minTasks only queues with so many tasks in all
 * @param minAvailable only queues with so many available tasks
 * @param maxQueues how many to show; 0: what the server thinks right (1000)
 * @param pageToken where the last page ended
 * @param configured whether to show those without tasks, too, that have options of their own
 */
public record ListRequest(
        QueueSelector queues,
        long minTasks,
        long minAvailable,
        int maxQueues,
        Optional<String> pageToken,
        boolean configured) {

    public ListRequest {
        if (minTasks < 0 || minAvailable < 0 || maxQueues < 0) {
            throw new IllegalArgumentException("minTasks, minAvailable, maxQueues: %d, %d, %d (expected: 0 or more)"
                    .formatted(minTasks, minAvailable, maxQueues));
        }
    }

    /** The first page of the queues that hold any task. */
    public static ListRequest of(QueueSelector queues) {
        return new ListRequest(queues, 0, 0, 0, Optional.empty(), false);
    }

    public ListRequest minTasks(long tasks) {
        return new ListRequest(queues, tasks, minAvailable, maxQueues, pageToken, configured);
    }

    public ListRequest minAvailable(long tasks) {
        return new ListRequest(queues, minTasks, tasks, maxQueues, pageToken, configured);
    }

    public ListRequest maxQueues(int count) {
        return new ListRequest(queues, minTasks, minAvailable, count, pageToken, configured);
    }

    public ListRequest pageToken(String token) {
        return new ListRequest(queues, minTasks, minAvailable, maxQueues, Optional.of(token), configured);
    }

    /** Also queues without tasks that have options of their own, such as those that are paused. */
    public ListRequest withConfigured() {
        return new ListRequest(queues, minTasks, minAvailable, maxQueues, pageToken, true);
    }
}
