package io.taskmaster.stage.local;

import io.taskmaster.stage.Rate;
import java.util.concurrent.atomic.AtomicLong;

/** Lets credits in at a rate (the generic cell rate algorithm). Lock-free; thread-safe. */
final class TokenBucket implements AdmissionControl {

    private static final double NANOS_PER_SECOND = 1e9;

    /** A hundred years: sums of it do not overflow. */
    private static final long LONGEST_NANOS = 3_000_000_000_000_000_000L;

    private final long intervalNanos;
    private final long toleranceNanos;

    /** When the next would be due if all came evenly. */
    private final AtomicLong dueNanos;

    TokenBucket(Rate rate, long nowNanos) {
        intervalNanos = Math.max(1, Math.round(NANOS_PER_SECOND / rate.perSecond()));
        toleranceNanos = (long) Math.min(LONGEST_NANOS, (double) intervalNanos * (rate.burst() - 1));
        dueNanos = new AtomicLong(nowNanos);
    }

    @Override
    public boolean admits(Candidate candidate) {
        long nowNanos = candidate.nowNanos();
        long costNanos = (long) Math.min(LONGEST_NANOS, (double) intervalNanos * candidate.cost());
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
