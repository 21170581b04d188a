package io.taskmaster.stage.worker;

import io.taskmaster.client.LeasedTask;
import java.time.Duration;
import java.util.List;

/**
 * An estimate of the tasks that wait at the server, from the way lease calls return. A call that returns full and soon
 * has probably left tasks behind. A call that returns fewer has found the end of the queue, and so has a call that
 * waits.
 *
 * <p>The waiting time in that queue is not known either. It is at most the time since the enqueue, which is too much
 * for tasks that were delayed or tried again. It is at most the time since the queue was last empty, which is too much
 * if it never quite empties. The estimate takes the shorter one, times the rate at which tasks are done.
 *
 * <p>Single-threaded: owned by a stage runner.
 */
final class LeaseBacklog {

    /** The time after which a call counts as one that waits at the server. */
    static final Duration MIN_WAIT = Duration.ofMillis(50);

    /**
     * The weight of each observation in the moving average of the rate. A backlog that is worked off should look
     * shorter; one at which few tasks were just done should not.
     */
    private static final double WEIGHT = 0.1;

    /**
     * The size of a reply, in bytes, from which on it counts as full even with few tasks: the server limits the data of
     * a reply.
     */
    static final long FULL_BYTES = 2 << 20;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long leaseMillis;
    private boolean isWaiting;
    private long requestedNanos;
    private int requested;

    /** True if the last call that returned left tasks behind. */
    private boolean hasBacklog;

    /** The last time at which there was no backlog, in nanoseconds of the monotonic clock. */
    private long noneNanos;

    /** The average time that the tasks of the last call had been queued, in nanoseconds. */
    private long queuedNanos;

    /** Tasks done per nanosecond; negative before the first observation. */
    private double donePerNano = -1;

    /**
     * Creates an estimate without a backlog.
     *
     * @param lease the length of the stage's leases
     */
    LeaseBacklog(Duration lease, long nowNanos) {
        this.leaseMillis = lease.toMillis();
        this.noneNanos = nowNanos;
    }

    /** Records that a call for this number of tasks is made. */
    void onRequest(int tasks, long nowNanos) {
        isWaiting = true;
        requested = tasks;
        requestedNanos = nowNanos;
    }

    /** Records that the call failed: nothing is known about the backlog. */
    void failed(long nowNanos) {
        isWaiting = false;
        hasBacklog = false;
        noneNanos = nowNanos;
    }

    /** Records the reply of the call. */
    void answered(List<LeasedTask> leased, long nowNanos) {
        // This comes before isWaiting is cleared, since waits() is false without a call in flight.
        hasBacklog = isFull(leased) && !waits(nowNanos);
        isWaiting = false;
        if (hasBacklog) {
            double millis =
                    leased.stream().mapToLong(this::queuedMillis).average().orElse(0);
            queuedNanos = Math.round(millis * NANOS_PER_MILLI);
        } else {
            noneNanos = nowNanos;
        }
    }

    private boolean isFull(List<LeasedTask> leased) {
        return leased.size() >= requested
                || leased.stream().mapToLong(task -> task.data().size()).sum() >= FULL_BYTES;
    }

    private boolean waits(long nowNanos) {
        return isWaiting && nowNanos - requestedNanos > MIN_WAIT.toNanos();
    }

    /** Returns the time from enqueue to lease, in milliseconds, by the server's clock alone. */
    private long queuedMillis(LeasedTask task) {
        long leasedMillis = task.leaseExpires().toEpochMilli() - leaseMillis;
        return Math.max(0, leasedMillis - task.enqueued().toEpochMilli());
    }

    /**
     * Estimates the number of tasks that wait at the server: 0, or at least 1.
     *
     * @param done the number of tasks done since the last observation
     * @param spanNanos the time since then
     */
    long length(long done, long spanNanos, long nowNanos) {
        double perNano = (double) done / spanNanos;
        donePerNano = donePerNano < 0 ? perNano : donePerNano + WEIGHT * (perNano - donePerNano);
        // A call that waits at the server has found nothing; its reply is not needed to know that.
        if (waits(nowNanos)) {
            hasBacklog = false;
            noneNanos = nowNanos;
        }
        if (!hasBacklog) {
            return 0;
        }
        // Both bounds on the waiting time are too high, each in another case, so the lower one is the better guess.
        double waitNanos = Math.min(queuedNanos, nowNanos - noneNanos);
        return Math.max(1, Math.round(waitNanos * donePerNano));
    }
}
