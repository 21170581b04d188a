package io.taskmaster.server.engine;

import org.jspecify.annotations.Nullable;

/** What an atom does to the tasks of one queue, counted. Single-threaded: used again for the next queue. */
final class Deeds {

    private int enqueued;
    private int leased;
    private int dequeued;

    /** Of the dequeued, those that were leased. */
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
     * A task is put in its place.
     *
     * @param before the lease of the one that was there, which is gone; null: there was none, or nobody leased it
     */
    void enqueued(@Nullable Grant before, long nowMillis) {
        if (before != null && !before.expiredAt(nowMillis)) {
            dequeued(before, nowMillis);
        }
        enqueued++;
    }

    /** A task is leased, or its lease is renewed. */
    void leased(@Nullable Grant before, Grant lease) {
        if (before == null || before.leaseId() != lease.leaseId()) {
            leased++;
        }
    }

    /** A task is gone. */
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

    /** Leases that were not renewals. */
    int leased() {
        return leased;
    }

    int dequeued() {
        return dequeued;
    }

    int finished() {
        return finished;
    }

    /** How long these were leased, together. */
    long finishedMillis() {
        return finishedMillis;
    }
}
