package io.taskmaster.stage.worker;

import io.taskmaster.stage.Rate;

/** A rate limiter: the generic cell rate algorithm. Single-threaded: owned by a stage runner. */
final class Pace {

    private final long intervalNanos;
    private final long toleranceNanos;

    /** The time at which the next task would be due if all came evenly, in nanoseconds. */
    private long dueNanos;

    Pace(Rate rate, long nowNanos) {
        intervalNanos = rate.nanosFor(1);
        toleranceNanos = rate.nanosFor(rate.burst() - 1);
        dueNanos = nowNanos;
    }

    /** Returns the time from which on the next task is let through, in nanoseconds. */
    long opensNanos() {
        return dueNanos - toleranceNanos;
    }

    boolean isOpen(long nowNanos) {
        return opensNanos() - nowNanos <= 0;
    }

    /** Counts a task that was let through. */
    void passed(long nowNanos) {
        // An idle limiter does not accumulate more than its burst.
        dueNanos = Math.max(dueNanos - nowNanos, 0) + nowNanos + intervalNanos;
    }

    /** Returns whether the limiter is as new: the full burst is available. */
    boolean isRested(long nowNanos) {
        return dueNanos - nowNanos <= 0;
    }
}
