package io.taskmaster.server.engine.index;

/**
 * The entry of a queue in {@link OldestTaskHeap}. Only queues that were looked at while a task of theirs could be
 * leased have one. Single-threaded: owned by {@link ActivityIndex}.
 */
final class OldestTask {

    /** The place of a queue that is in no heap. */
    static final int NOWHERE = -1;

    /**
     * The time at which the oldest of the queue's ready tasks was enqueued, as of the last look that gave it a place.
     * Owned by {@link OldestTaskHeap}, as the next field is.
     */
    long sinceMillis;

    int place = NOWHERE;

    boolean hasPlace() {
        return place != NOWHERE;
    }
}
