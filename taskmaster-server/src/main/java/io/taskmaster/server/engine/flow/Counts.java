package io.taskmaster.server.engine.flow;

/**
 * What happened to tasks. Immutable.
 *
 * @param leases without renewals
 * @param expired leases that ran out
 */
public record Counts(long enqueued, long leases, long dequeued, long expired) {

    public static final Counts NONE = new Counts(0, 0, 0, 0);

    /** How often something happened, but for leases that ran out. */
    public long deeds() {
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

    /** Without what is negative. */
    public Counts gained() {
        return new Counts(Math.max(0, enqueued), Math.max(0, leases), Math.max(0, dequeued), Math.max(0, expired));
    }

    /** Whether something would have been undone. */
    public boolean hasLoss() {
        return !lost().equals(NONE);
    }

    /** Only what is negative. */
    public Counts lost() {
        return minus(gained());
    }
}
