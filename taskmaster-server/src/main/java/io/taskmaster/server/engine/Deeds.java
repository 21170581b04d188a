package io.taskmaster.server.engine;

import io.taskmaster.server.engine.ApplyAtom.TaskChange;
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
     * Counts a change of a task.
     *
     * @param before the lease that it is under until then
     */
    void count(TaskChange change, @Nullable Grant before, long nowMillis) {
        switch (change) {
            case ApplyAtom.Put _ -> {
                if (before != null && !before.expiredAt(nowMillis)) {
                    dequeued(before, nowMillis);
                }
                enqueued++;
            }
            case ApplyAtom.Lease lease -> {
                if (before == null || before.leaseId() != lease.grant().leaseId()) {
                    leased++;
                }
            }
            case ApplyAtom.Free _, ApplyAtom.Move _, ApplyAtom.Remember _ -> {}
            case ApplyAtom.Remove _ -> dequeued(before, nowMillis);
        }
    }

    private void dequeued(@Nullable Grant lease, long nowMillis) {
        dequeued++;
        if (lease != null) {
            finished++;
            finishedMillis += nowMillis - lease.leasedMillis();
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
