package io.taskmaster.command;

/**
 * Counts of what happened to tasks. Immutable.
 *
 * @param leases without renewals
 * @param expired leases that expired
 */
public record Counts(long enqueued, long leases, long dequeued, long expired) {

    public static final Counts NONE = new Counts(0, 0, 0, 0);

    /** Returns the number of events other than expired leases. */
    public long operations() {
        return enqueued + leases + dequeued;
    }

    public Counts plus(Counts other) {
        return new Counts(
                enqueued + other.enqueued, leases + other.leases, dequeued + other.dequeued, expired + other.expired);
    }

    public Counts minus(Counts other) {
        return new Counts(
                enqueued - other.enqueued, leases - other.leases, dequeued - other.dequeued, expired - other.expired);
    }

    /** Returns the same without what is negative. */
    public Counts gained() {
        return new Counts(Math.max(0, enqueued), Math.max(0, leases), Math.max(0, dequeued), Math.max(0, expired));
    }

    /** Returns whether any count is negative: a difference in which something would have been undone. */
    public boolean hasLoss() {
        return !lost().equals(NONE);
    }

    /** Returns only what is negative. */
    public Counts lost() {
        return minus(gained());
    }
}
