package io.taskmaster.server.engine;

/**
 * What a queue is told for good. It belongs to the name: it survives the queue's emptying and deletion. Immutable.
 *
 * @param paused leases nothing; enqueues go on
 * @param maxLeased at most so many leases that run; 0: no cap
 * @param weight tasks that it gives in its turn, where a lease goes around several queues
 */
public record QueueOptions(boolean paused, long maxLeased, int weight) {

    /** In what a queue is told: its weight stays as it is. */
    public static final int SAME_WEIGHT = 0;

    /** Of a queue that was told nothing. */
    public static final QueueOptions NONE = new QueueOptions(false, 0, 1);

    /** What a queue has that has these options, and is told others. */
    QueueOptions toldTo(QueueOptions before) {
        return weight == SAME_WEIGHT ? new QueueOptions(paused, maxLeased, before.weight) : this;
    }
}
