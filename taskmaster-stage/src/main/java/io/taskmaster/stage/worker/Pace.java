package io.taskmaster.stage.worker;

import io.taskmaster.stage.Rate;

/** Lets tasks through at a rate (the generic cell rate algorithm). Single-threaded: owned by a stage runner. */
final class Pace {

    private final long intervalNanos;
    private final long toleranceNanos;

    /** When the next would be due if all came evenly. */
    private long dueNanos;

    Pace(Rate rate, long nowNanos) {
        intervalNanos = rate.nanosFor(1);
        toleranceNanos = rate.nanosFor(rate.burst() - 1);
        dueNanos = nowNanos;
    }

    /** From when on the next is let through. */
    long opensNanos() {
        return dueNanos - toleranceNanos;
    }

    boolean isOpen(long nowNanos) {
        return opensNanos() - nowNanos <= 0;
    }

    /** One went through. */
    void passed(long nowNanos) {
        dueNanos = Math.max(dueNanos - nowNanos, 0) + nowNanos + intervalNanos;
    }

    /** Whether it is as if none had ever gone through. */
    boolean isRested(long nowNanos) {
        return dueNanos - nowNanos <= 0;
    }
}
