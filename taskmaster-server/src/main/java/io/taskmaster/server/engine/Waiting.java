package io.taskmaster.server.engine;

import org.jspecify.annotations.Nullable;

/**
 * The longest-waiting of a queue's leasable tasks, as far as known. Only queues that were looked at have one.
 * Single-threaded: owned by its queue.
 */
final class Waiting {

    /** The place of a queue that is in no heap. */
    static final int NOWHERE = -1;

    /** The task; null: it has to be searched for. */
    @Nullable
    Task oldest;

    /**
     * The time at which that task was enqueued, as of the last look that gave it a place. Owned by {@link OldestFirst},
     * as the next field is.
     */
    long sinceMillis;

    int place = NOWHERE;

    boolean hasPlace() {
        return place != NOWHERE;
    }
}
