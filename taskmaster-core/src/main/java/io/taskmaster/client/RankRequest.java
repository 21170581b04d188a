package io.taskmaster.client;

import java.util.Optional;

/**
 * Asks for a page of the queues that hold tasks or have options of their own, in some order. A page begins behind the last queue of the one before it, where that stood
 * then: a queue to which nothing happens meanwhile is on exactly one page, one that changes its place may be on two, or on none. Immutable: a
 * method that sets something returns a changed copy.
 *
 * @param descending largest first; those that are equal come in the order of group and name in any case
 * @param maxQueues how many to show, at most 1,000; 0: what the server thinks right (50)
 * @param pageToken where the last page ended, of the same order
 */
public record RankRequest(
        QueueSelector queues, QueueOrder order, boolean descending, int maxQueues, Optional<String> pageToken) {

    public RankRequest {
        if (maxQueues < 0) {
            throw new IllegalArgumentException("maxQueues: %d (expected: 0 or more)".formatted(maxQueues));
        }
    }

    /** The first page, from the smallest on. */
    public static RankRequest ascending(QueueSelector queues, QueueOrder order) {
        return new RankRequest(queues, order, false, 0, Optional.empty());
    }

    /** The first page, from the largest on. */
    public static RankRequest descending(QueueSelector queues, QueueOrder order) {
        return new RankRequest(queues, order, true, 0, Optional.empty());
    }

    public RankRequest maxQueues(int count) {
        return new RankRequest(queues, order, descending, count, pageToken);
    }

    public RankRequest pageToken(String token) {
        return new RankRequest(queues, order, descending, maxQueues, Optional.of(token));
    }
}
