package io.taskmaster.command;

/**
 * The lasting options of a queue. They belong to the name: they survive that the queue becomes empty or is deleted.
 * Immutable.
 *
 * @param paused grants no leases; enqueues go on
 * @param maxLeased the cap on running leases; 0: no cap
 * @param weight the number of tasks that it gives in a row, where a lease rotates over several queues
 */
public record QueueOptions(boolean paused, long maxLeased, int weight) {

    /** The weight in a request that leaves the weight as it is. */
    public static final int SAME_WEIGHT = 0;

    /** The options of a queue for which none were set. */
    public static final QueueOptions NONE = new QueueOptions(false, 0, 1);

    /** Returns the options of a queue that has those before and is set to these. */
    public QueueOptions appliedTo(QueueOptions before) {
        return weight == SAME_WEIGHT ? new QueueOptions(paused, maxLeased, before.weight) : this;
    }
}
