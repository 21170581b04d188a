package io.taskmaster.client;

import java.util.Optional;

/**
 * A request for a page of the queues that hold tasks or have options of their own, in some order. A page begins behind
 * the last queue of the previous one, at the position that it had then. A queue without changes is on exactly one page;
 * a queue that moves may be on two, or on none. Immutable: a method that sets a value returns a changed copy.
 *
 * @param queues the queues
 * @param order the order
 * @param descending whether the largest come first; ties are in the order of group and name in any case
 * @param maxQueues the maximum number of queues on a page, at most 1,000; 0: the server's default (50)
 * @param pageToken the token of the page, of the same order; absent: the first page
 */
public record RankRequest(
        QueueSelector queues, QueueOrder order, boolean descending, int maxQueues, Optional<String> pageToken) {

    public RankRequest {
        if (maxQueues < 0) {
            throw new IllegalArgumentException("maxQueues: %d (expected: 0 or more)".formatted(maxQueues));
        }
    }

    /** Returns a request for the first page, from the smallest on. */
    public static RankRequest ascending(QueueSelector queues, QueueOrder order) {
        return new RankRequest(queues, order, false, 0, Optional.empty());
    }

    /** Returns a request for the first page, from the largest on. */
    public static RankRequest descending(QueueSelector queues, QueueOrder order) {
        return new RankRequest(queues, order, true, 0, Optional.empty());
    }

    /** Sets the maximum number of queues on a page, at most 1,000. */
    public RankRequest maxQueues(int count) {
        return new RankRequest(queues, order, descending, count, pageToken);
    }

    /** Sets the page, by the token of the previous one. */
    public RankRequest pageToken(String token) {
        return new RankRequest(queues, order, descending, maxQueues, Optional.of(token));
    }
}
