package io.taskmaster.client;

/**
 * The options of a queue. They belong to its name, so they persist when the queue becomes empty or is deleted.
 * Immutable.
 *
 * @param paused whether leasing is stopped; leases that exist and enqueues go on
 * @param maxLeased the maximum number of leases at a time; 0: no limit
 * @param weight the number of tasks per round when several queues of a group are leased from round-robin: a queue of
 *     weight 3 is served three times as fast as one of weight 1 while both have tasks. The server accepts up to 1,000;
 *     0, which no queue has, keeps the present weight
 */
public record QueueOptions(boolean paused, int maxLeased, int weight) {

    /** The defaults: not paused, no limit, and the present weight, which is 1 for a queue that was never configured. */
    public static final QueueOptions DEFAULT = new QueueOptions(false, 0, 0);

    public QueueOptions {
        if (maxLeased < 0) {
            throw new IllegalArgumentException("maxLeased: %d (expected: 0 or more)".formatted(maxLeased));
        }
        if (weight < 0) {
            throw new IllegalArgumentException("weight: %d (expected: 0 or more)".formatted(weight));
        }
    }

    /** Sets whether leasing is stopped. */
    public QueueOptions paused(boolean whether) {
        return new QueueOptions(whether, maxLeased, weight);
    }

    /** Sets the maximum number of leases at a time. */
    public QueueOptions maxLeased(int tasks) {
        return new QueueOptions(paused, tasks, weight);
    }

    /** Sets the weight. */
    public QueueOptions weight(int tasks) {
        return new QueueOptions(paused, maxLeased, tasks);
    }
}
