package io.taskmaster.stage.local;

import io.taskmaster.stage.Rate;
import java.util.concurrent.atomic.AtomicLong;

/** Lets credits in at a rate (the generic cell rate algorithm). Lock-free; thread-safe. */
final class TokenBucket implements AdmissionControl {

    private final Rate rate;
    private final long toleranceNanos;

    /** When the next would be due if all came evenly. */
    private final AtomicLong dueNanos;

    TokenBucket(Rate rate, long nowNanos) {
        this.rate = rate;
        toleranceNanos = rate.nanosFor(rate.burst() - 1);
        dueNanos = new AtomicLong(nowNanos);
    }

    @Override
    public boolean admits(Candidate candidate) {
        long nowNanos = candidate.nowNanos();
        long costNanos = rate.nanosFor(candidate.cost());
        for (; ; ) {
            long due = dueNanos.get();
            long aheadNanos = Math.max(due - nowNanos, 0);
            if (aheadNanos > toleranceNanos) {
                return false;
            }
            if (dueNanos.compareAndSet(due, nowNanos + aheadNanos + costNanos)) {
                return true;
            }
        }
    }
}
