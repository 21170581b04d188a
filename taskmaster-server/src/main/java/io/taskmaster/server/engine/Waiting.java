package io.taskmaster.server.engine;

import org.jspecify.annotations.Nullable;

/** Which of a queue's tasks that may be leased waits longest, as far as known. Only queues that somebody looked at have one. Single-threaded: owned by its queue. */
final class Waiting {

    /** The place of one that is in no order. */
    static final int NOWHERE = -1;

    /** Null: it is to be looked for. */
    @Nullable
    Task oldest;

    /** When that task was enqueued, as of the last look that gave it a place. Owned by {@link OldestFirst}, as the next one is. */
    long sinceMillis;

    int place = NOWHERE;

    boolean hasPlace() {
        return place != NOWHERE;
    }
}
