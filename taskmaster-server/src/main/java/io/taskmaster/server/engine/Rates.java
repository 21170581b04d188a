package io.taskmaster.server.engine;

import java.util.Optional;

/**
 * Soft statistics of a queue: exponentially weighted rates over about a minute, and the mean time from lease to dequeue (paper
 * section 3.5). Lost on a restart. Single-threaded: owned by its queue.
 */
final class Rates {

    private static final double WINDOW_MILLIS = 60_000;

    private double enqueued;
    private double leased;
    private double dequeued;
    private long decayedAtMillis;

    private long finished;
    private double finishedMillis;
    private long expired;

    /** Counts what an atom does to the tasks of the queue. */
    void count(Deeds deeds, long nowMillis) {
        decay(nowMillis);
        enqueued += deeds.enqueued();
        leased += deeds.leased();
        dequeued += deeds.dequeued();
        finished += deeds.finished();
        finishedMillis += deeds.finishedMillis();
    }

    void expired() {
        expired++;
    }

    /** Counts all that was counted elsewhere. */
    void add(Rates other, long nowMillis) {
        decay(nowMillis);
        double keep = Math.exp(-Math.max(0, nowMillis - other.decayedAtMillis) / WINDOW_MILLIS);
        enqueued += keep * other.enqueued;
        leased += keep * other.leased;
        dequeued += keep * other.dequeued;
        finished += other.finished;
        finishedMillis += other.finishedMillis;
        expired += other.expired;
    }

    double enqueuesPerSecond(long nowMillis) {
        decay(nowMillis);
        return perSecond(enqueued);
    }

    double leasesPerSecond(long nowMillis) {
        decay(nowMillis);
        return perSecond(leased);
    }

    double dequeuesPerSecond(long nowMillis) {
        decay(nowMillis);
        return perSecond(dequeued);
    }

    long expiredLeases() {
        return expired;
    }

    /** From lease to dequeue; empty if nothing was dequeued under a lease yet. */
    Optional<Double> meanLeaseMillis() {
        return finished == 0 ? Optional.empty() : Optional.of(finishedMillis / finished);
    }

    /** Each counter is the sum of its events, each weighted by e^(-age/window): in a steady state, rate times window. */
    private void decay(long nowMillis) {
        long ageMillis = nowMillis - decayedAtMillis;
        if (ageMillis > 0) {
            double keep = Math.exp(-ageMillis / WINDOW_MILLIS);
            enqueued *= keep;
            leased *= keep;
            dequeued *= keep;
            decayedAtMillis = nowMillis;
        }
    }

    private static double perSecond(double weighted) {
        return weighted * 1000 / WINDOW_MILLIS;
    }
}
