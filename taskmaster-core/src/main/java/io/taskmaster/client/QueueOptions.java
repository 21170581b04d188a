package io.taskmaster.client;

/**
 * The lasting options of a queue. They belong to its name: they survive that the queue becomes empty or is deleted. Immutable.
 *
 * @param paused nothing is leased from the queue; what is leased stays so, and enqueues go on
 * @param maxLeased how many tasks of the queue may be leased at a time; 0: no cap
 */
public record QueueOptions(boolean paused, int maxLeased) {

    /** What a queue has that was never configured: not paused, no cap. */
    public static final QueueOptions DEFAULT = new QueueOptions(false, 0);

    public QueueOptions {
        if (maxLeased < 0) {
            throw new IllegalArgumentException("maxLeased: %d (expected: 0 or more)".formatted(maxLeased));
        }
    }

    /** The same cap, paused or not. */
    public QueueOptions paused(boolean whether) {
        return new QueueOptions(whether, maxLeased);
    }

    /** The same, with another cap. */
    public QueueOptions maxLeased(int tasks) {
        return new QueueOptions(paused, tasks);
    }
}
