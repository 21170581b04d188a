package io.taskmaster.stage.worker;

import io.taskmaster.client.LeasedTask;
import java.time.Duration;
import java.util.List;

/**
 * The line at the server, as far as the way in which lease calls come back tells of it. One that comes back full, and soon, has left something behind, as far as one can know. One
 * that brings less has found the end of the line; so has one that waits: it stands where the line would be.
 *
 * <p>How long a task waits in that line is not known either, but that it is not longer than since it was enqueued, which says too much of tasks that were delayed or tried again, and not
 * longer than since there was no line, which says too much when the line never quite ends. The shorter of both is taken.
 *
 * <p>Single-threaded: owned by a stage runner.
 */
final class Backlog {

    /** A call that takes longer has waited for tasks at the server. */
    static final Duration SOON = Duration.ofMillis(50);

    /** Of the rate at which tasks are done, each look counts so much: a line that is being worked off is to look shorter, not one in which fewer were just done. */
    private static final double WEIGHT = 0.1;

    /** A reply takes no more data than the server thinks right; from so much on it may be full though it brings few tasks. */
    static final long FULL_BYTES = 2 << 20;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long leaseMillis;
    private boolean isAsking;
    private long askedNanos;
    private int asked;

    /** Whether the last call that came back left something behind. */
    private boolean isThere;

    /** When there was no line last. */
    private long noneNanos;

    /** How long the tasks of the last call were queued, on average. */
    private long queuedNanos;

    /** Below 0: nobody has looked yet. */
    private double donePerNano = -1;

    /**
     * @param lease how long tasks are leased
     */
    Backlog(Duration lease, long nowNanos) {
        this.leaseMillis = lease.toMillis();
        this.noneNanos = nowNanos;
    }

    /** A call for so many tasks is made. */
    void asked(int tasks, long nowNanos) {
        isAsking = true;
        asked = tasks;
        askedNanos = nowNanos;
    }

    /** It has failed: nothing is known any more. */
    void failed(long nowNanos) {
        isAsking = false;
        isThere = false;
        noneNanos = nowNanos;
    }

    /** It has come back. */
    void answered(List<LeasedTask> leased, long nowNanos) {
        isThere = isFull(leased) && !waits(nowNanos);
        isAsking = false;
        if (isThere) {
            double millis =
                    leased.stream().mapToLong(this::queuedMillis).average().orElse(0);
            queuedNanos = Math.round(millis * NANOS_PER_MILLI);
        } else {
            noneNanos = nowNanos;
        }
    }

    private boolean isFull(List<LeasedTask> leased) {
        return leased.size() >= asked
                || leased.stream().mapToLong(task -> task.data().size()).sum() >= FULL_BYTES;
    }

    private boolean waits(long nowNanos) {
        return isAsking && nowNanos - askedNanos > SOON.toNanos();
    }

    /** By the server's clock alone. */
    private long queuedMillis(LeasedTask task) {
        long leasedMillis = task.leaseExpires().toEpochMilli() - leaseMillis;
        return Math.max(0, leasedMillis - task.enqueued().toEpochMilli());
    }

    /**
     * Looks how many tasks are in line: none, or at least one.
     *
     * @param done how many were done since the last look
     * @param spanNanos how long that was
     */
    long length(long done, long spanNanos, long nowNanos) {
        double perNano = (double) done / spanNanos;
        donePerNano = donePerNano < 0 ? perNano : donePerNano + WEIGHT * (perNano - donePerNano);
        if (waits(nowNanos)) {
            isThere = false;
            noneNanos = nowNanos;
        }
        if (!isThere) {
            return 0;
        }
        double waitNanos = Math.min(queuedNanos, nowNanos - noneNanos);
        return Math.max(1, Math.round(waitNanos * donePerNano));
    }
}
