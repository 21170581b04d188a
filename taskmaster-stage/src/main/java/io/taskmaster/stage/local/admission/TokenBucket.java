package io.taskmaster.stage.local.admission;

import io.taskmaster.stage.Rate;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A limit on the rate of credits: the generic cell rate algorithm. Lock-free; thread-safe. */
final class TokenBucket implements AdmissionCheck {

    private volatile Rate rate;

    /** The theoretical arrival time: when the next event would be due if all came evenly. */
    private final AtomicLong dueNanos;

    TokenBucket(Rate rate, long nowNanos) {
        this.rate = rate;
        dueNanos = new AtomicLong(nowNanos);
    }

    /**
     * Changes the rate from now on. Credits that were let in ahead of time count for no more than a burst at the new
     * rate. An event that is admitted concurrently may be charged by the old rate. Not by two threads at once.
     */
    void rate(Rate changed, long nowNanos) {
        double times = rate.perSecond() / changed.perSecond();
        long maxNanos = changed.nanosFor(changed.burst());
        dueNanos.updateAndGet(due -> nowNanos + Math.round(Math.clamp((due - nowNanos) * times, 0, (double) maxNanos)));
        rate = changed;
    }

    @Override
    public boolean admits(Candidate candidate) {
        Rate now = rate;
        long nowNanos = candidate.nowNanos();
        long costNanos = now.nanosFor(candidate.cost());
        long toleranceNanos = now.nanosFor(now.burst() - 1);
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

    @Override
    public Map<String, Double> limits(long nowNanos) {
        Rate now = rate;
        double aheadNanos = Math.max(0, dueNanos.get() - nowNanos);
        double tokens = now.burst() - aheadNanos / now.nanosFor(1);
        return Map.of("rate", now.perSecond(), "burst", (double) now.burst(), "tokens", tokens);
    }
}
