package io.taskmaster.stage.local;

import io.taskmaster.stage.Rate;
import java.util.concurrent.atomic.AtomicLong;

/** Lets events in at a rate (the generic cell rate algorithm). Lock-free; thread-safe. */
final class TokenBucket implements AdmissionControl {

    private static final double NANOS_PER_SECOND = 1e9;

    private final long intervalNanos;
    private final long toleranceNanos;

    /** When the next would be due if all came evenly. */
    private final AtomicLong dueNanos;

    TokenBucket(Rate rate, long nowNanos) {
        intervalNanos = Math.max(1, Math.round(NANOS_PER_SECOND / rate.perSecond()));
        toleranceNanos = intervalNanos * (rate.burst() - 1);
        dueNanos = new AtomicLong(nowNanos);
    }

    @Override
    public boolean admits(long takenCredits, long capacity, long nowNanos) {
        for (; ; ) {
            long due = dueNanos.get();
            long aheadNanos = Math.max(due - nowNanos, 0);
            if (aheadNanos > toleranceNanos) {
                return false;
            }
            if (dueNanos.compareAndSet(due, nowNanos + aheadNanos + intervalNanos)) {
                return true;
            }
        }
    }
}
