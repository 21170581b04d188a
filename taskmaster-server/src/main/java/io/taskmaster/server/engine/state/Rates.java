package io.taskmaster.server.engine.state;

import io.taskmaster.command.Counts;
import io.taskmaster.command.Reply.Description;
import java.util.Optional;

/**
 * The soft statistics of a queue: counts of what happened to its tasks, exponentially weighted rates of that over about
 * a minute, and the mean time from lease to dequeue (paper section 3.5). Lost on a restart. Single-threaded: owned by
 * its queue, or by {@link RemovedQueueStats} once that is forgotten.
 */
public final class Rates {

    private static final double WINDOW_MILLIS = Description.RATE_WINDOW_MILLIS;

    /**
     * The time after a decay within which events count as if they had happened at the decay: an error of 0.2 %, at
     * most.
     */
    private static final long STEP_MILLIS = 100;

    /** Counters as of {@code decayedAtMillis}. Seven digits are enough for rates, and idle queues are many. */
    private float recentEnqueues;

    private float recentLeases;
    private float recentDequeues;
    private long decayedAtMillis;

    private long enqueued;
    private long leased;
    private long dequeued;
    private long expired;
    private long finished;
    private double finishedMillis;

    /** Counts what an atom does to the tasks of the queue. */
    void count(TaskCounts taskCounts, long nowMillis) {
        if (nowMillis - decayedAtMillis >= STEP_MILLIS) {
            decay(nowMillis);
        }
        recentEnqueues += (float) taskCounts.enqueued();
        recentLeases += (float) taskCounts.leased();
        recentDequeues += (float) taskCounts.dequeued();
        enqueued += taskCounts.enqueued();
        leased += taskCounts.leased();
        dequeued += taskCounts.dequeued();
        finished += taskCounts.finished();
        finishedMillis += taskCounts.finishedMillis();
    }

    void expired() {
        expired++;
    }

    /** Adds all that was counted elsewhere. */
    public void add(Rates other, long nowMillis) {
        decay(nowMillis);
        float keep = other.decayFactor(nowMillis);
        recentEnqueues += keep * other.recentEnqueues;
        recentLeases += keep * other.recentLeases;
        recentDequeues += keep * other.recentDequeues;
        enqueued += other.enqueued;
        leased += other.leased;
        dequeued += other.dequeued;
        expired += other.expired;
        finished += other.finished;
        finishedMillis += other.finishedMillis;
    }

    public double enqueuesPerSecond(long nowMillis) {
        return perSecond(recentEnqueues, nowMillis);
    }

    public double leasesPerSecond(long nowMillis) {
        return perSecond(recentLeases, nowMillis);
    }

    public double dequeuesPerSecond(long nowMillis) {
        return perSecond(recentDequeues, nowMillis);
    }

    /**
     * Returns a number that orders queues as {@link #enqueuesPerSecond} does at any time. It stays the same, to the
     * bit, until something happens.
     */
    public double enqueuesMark() {
        return mark(recentEnqueues);
    }

    /** Returns such a number for {@link #leasesPerSecond}. */
    public double leasesMark() {
        return mark(recentLeases);
    }

    /** Returns such a number for {@link #dequeuesPerSecond}. */
    public double dequeuesMark() {
        return mark(recentDequeues);
    }

    /** Returns such a number for the sum of all three; {@link Double#NEGATIVE_INFINITY}: nothing ever happened. */
    public double operationsMark() {
        return mark(recentEnqueues + recentLeases + recentDequeues);
    }

    /** The number of leases, without renewals. */
    public long leases() {
        return leased;
    }

    public long expiredLeases() {
        return expired;
    }

    public Counts counts() {
        return new Counts(enqueued, leased, dequeued, expired);
    }

    /** The mean time from lease to dequeue; empty if nothing was dequeued under a lease yet. */
    public Optional<Double> meanLeaseMillis() {
        return finished == 0 ? Optional.empty() : Optional.of(finishedMillis / finished);
    }

    /**
     * Decays the counters to now. Each is the sum of its events, each weighted by e^(-age/window): in a steady state,
     * rate times window.
     */
    private void decay(long nowMillis) {
        if (nowMillis > decayedAtMillis) {
            float keep = decayFactor(nowMillis);
            recentEnqueues *= keep;
            recentLeases *= keep;
            recentDequeues *= keep;
            decayedAtMillis = nowMillis;
        }
    }

    /** Returns the part of the counters that is left now. */
    private float decayFactor(long nowMillis) {
        return (float) Math.exp(-Math.max(0, nowMillis - decayedAtMillis) / WINDOW_MILLIS);
    }

    private double perSecond(float weighted, long nowMillis) {
        return (double) weighted * decayFactor(nowMillis) * 1000 / WINDOW_MILLIS;
    }

    /**
     * Returns the logarithm of the counter's value extrapolated back to 1970. All counters decay alike, so these
     * compare as the rates do.
     */
    private double mark(float weighted) {
        return StrictMath.log(weighted) + decayedAtMillis / WINDOW_MILLIS;
    }
}
