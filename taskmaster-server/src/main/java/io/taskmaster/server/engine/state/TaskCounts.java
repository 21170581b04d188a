package io.taskmaster.server.engine.state;

import io.taskmaster.server.engine.command.Grant;
import org.jspecify.annotations.Nullable;

/** The counts of what an atom does to the tasks of one queue. Single-threaded: reused for the next queue. */
final class TaskCounts {

    private int enqueued;
    private int leased;
    private int dequeued;

    /** The dequeued tasks that were leased. */
    private int finished;

    private long finishedMillis;

    void clear() {
        enqueued = 0;
        leased = 0;
        dequeued = 0;
        finished = 0;
        finishedMillis = 0;
    }

    /**
     * Counts a task that is put in its place.
     *
     * @param before the lease of the task that was there, which is gone; null: there was none, or it was not leased
     */
    void enqueued(@Nullable Grant before, long nowMillis) {
        if (before != null && !before.expiredAt(nowMillis)) {
            dequeued(before, nowMillis);
        }
        enqueued++;
    }

    /** Counts a lease, unless it renews one. */
    void leased(@Nullable Grant before, Grant lease) {
        if (before == null || before.leaseId() != lease.leaseId()) {
            leased++;
        }
    }

    /** Counts a task that is gone. */
    void dequeued(@Nullable Grant before, long nowMillis) {
        dequeued++;
        if (before != null) {
            finished++;
            finishedMillis += nowMillis - before.leasedMillis();
        }
    }

    int enqueued() {
        return enqueued;
    }

    /** The number of leases, without renewals. */
    int leased() {
        return leased;
    }

    int dequeued() {
        return dequeued;
    }

    int finished() {
        return finished;
    }

    /** The time for which the finished tasks were leased, together, in milliseconds. */
    long finishedMillis() {
        return finishedMillis;
    }
}
