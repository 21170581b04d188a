package io.taskmaster.server.engine.state;

import io.taskmaster.server.engine.flow.Family;

/**
 * An observer of the queues of a partition. Selections, sums and rankings of queues follow the state by these events
 * alone, so that the state depends on none of them. An observer changes neither the queue nor its tasks.
 * Single-threaded: called by the partition's loop.
 */
public interface QueueObserver {

    /** Notifies of a queue that is about to change its sizes or its options. */
    default void changing(QueueState queue) {}

    /** Notifies of a queue that has changed its sizes or its options. */
    default void changed(QueueState queue) {}

    /** Notifies of a queue of which something has changed that a look at it would show. */
    default void active(QueueState queue) {}

    /** Notifies of a queue that is about to belong to another family. */
    default void moving(QueueState queue, Family to) {}

    /** Notifies of a queue that is about to be forgotten. It is empty and still has its slot. */
    default void removing(QueueState queue) {}
}
