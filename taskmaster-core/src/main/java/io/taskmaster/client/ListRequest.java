package io.taskmaster.client;

import java.util.Optional;

/**
 * A request for the names and sizes of queues. Immutable: a method that sets a value returns a changed copy.
 *
 * @param queues the queues
 * @param minTasks the minimum number of tasks of a queue, in all states
 * @param minAvailable the minimum number of available tasks of a queue
 * @param maxQueues the maximum number of queues on a page; 0: the server's default (1000)
 * @param pageToken the token of the page; absent: the first page
 * @param configured whether to show queues without tasks that have options of their own, too
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

    /** Returns a request for the first page of the queues that hold tasks. */
    public static ListRequest of(QueueSelector queues) {
        return new ListRequest(queues, 0, 0, 0, Optional.empty(), false);
    }

    /** Sets the minimum number of tasks of a queue, in all states. */
    public ListRequest minTasks(long tasks) {
        return new ListRequest(queues, tasks, minAvailable, maxQueues, pageToken, configured);
    }

    /** Sets the minimum number of available tasks of a queue. */
    public ListRequest minAvailable(long tasks) {
        return new ListRequest(queues, minTasks, tasks, maxQueues, pageToken, configured);
    }

    /** Sets the maximum number of queues on a page. */
    public ListRequest maxQueues(int count) {
        return new ListRequest(queues, minTasks, minAvailable, count, pageToken, configured);
    }

    /** Sets the page, by the token of the previous one. */
    public ListRequest pageToken(String token) {
        return new ListRequest(queues, minTasks, minAvailable, maxQueues, Optional.of(token), configured);
    }

    /** Includes queues without tasks that have options of their own, such as paused ones. */
    public ListRequest withConfigured() {
        return new ListRequest(queues, minTasks, minAvailable, maxQueues, pageToken, true);
    }
}
