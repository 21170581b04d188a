package io.taskmaster.client;

/**
 * The lasting options of a queue. They belong to its name: they survive that the queue becomes empty or is deleted. Immutable.
 *
 * @param paused nothing is leased from the queue; what is leased stays so, and enqueues go on
 * @param maxLeased how many tasks of the queue may be leased at a time; 0: no cap
 * @param weight how many tasks it gives in its turn where several queues of a group are leased from in turn: one of weight 3 is served
 *     three times as fast as one of weight 1, as long as both have tasks. The server takes up to 1,000; 0, which no queue has, leaves the
 *     weight as it is
 */
public record QueueOptions(boolean paused, int maxLeased, int weight) {

    /** To begin with: not paused, no cap, and the weight as it is, which is 1 for a queue that was never configured. */
    public static final QueueOptions DEFAULT = new QueueOptions(false, 0, 0);

    public QueueOptions {
        if (maxLeased < 0) {
            throw new IllegalArgumentException("maxLeased: %d (expected: 0 or more)".formatted(maxLeased));
        }
        if (weight < 0) {
            throw new IllegalArgumentException("weight: %d (expected: 0 or more)".formatted(weight));
        }
    }

    /** The same, paused or not. */
    public QueueOptions paused(boolean whether) {
        return new QueueOptions(whether, maxLeased, weight);
    }

    /** The same, with another cap. */
    public QueueOptions maxLeased(int tasks) {
        return new QueueOptions(paused, tasks, weight);
    }

    /** The same, with another weight. */
    public QueueOptions weight(int tasks) {
        return new QueueOptions(paused, maxLeased, tasks);
    }
}
