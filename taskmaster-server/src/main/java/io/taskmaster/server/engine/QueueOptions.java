package io.taskmaster.server.engine;

/**
 * What a queue is told for good. It belongs to the name: it survives the queue's emptying and deletion. Immutable.
 *
 * @param paused leases nothing; enqueues go on
 * @param maxLeased at most so many leases that run; 0: no cap
 */
public record QueueOptions(boolean paused, long maxLeased) {

    /** Of a queue that was told nothing. */
    public static final QueueOptions NONE = new QueueOptions(false, 0);
}
