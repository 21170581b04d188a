package io.taskmaster.server.engine.state;

import io.taskmaster.server.engine.command.Sizes;

/**
 * The sizes of a queue: as of its last atom, and with the time counted that has passed since
 * ({@code docs/adr/0003-expiry-is-counted-not-written.md}). Single-threaded: owned by the partition's loop.
 */
public abstract sealed class QueueCounts permits QueueState {

    long available;
    long leased;
    long delayed;

    /** The number of leased tasks whose lease has expired, in memory or not, as of the time index's last advance. */
    int expired;

    /**
     * The number of delayed tasks whose not-before time has passed, as of the same advance. They are about to be moved
     * to their places.
     */
    int due;

    /** The number of tasks in memory among those that the sizes count. */
    int live;

    /** The number of delayed tasks among them. */
    int liveDelayed;

    /** The number of tasks that may be leased where they are: available ones, and those under an expired lease. */
    public long leasable() {
        return available + expired;
    }

    /**
     * The number of available tasks with time counted: it includes those under an expired lease and those whose delay
     * is over.
     */
    public long availableNow() {
        return leasable() + due;
    }

    /** The number of delayed tasks with time counted: it leaves out those whose delay is over. */
    public long delayedNow() {
        return delayed - due;
    }

    /** The number of tasks under a lease that has not expired. */
    public long leasedNow() {
        return leased - expired;
    }

    public long total() {
        return available + leased + delayed;
    }

    /** The number of available tasks as of the last atom. */
    public long available() {
        return available;
    }

    /** The number of leased tasks as of the last atom. */
    public long leased() {
        return leased;
    }

    /** The number of delayed tasks as of the last atom. */
    public long delayed() {
        return delayed;
    }

    /** The number of tasks in memory among those that the sizes count. */
    public int live() {
        return live;
    }

    public Sizes sizes() {
        return new Sizes(available, leased, delayed);
    }

    /** Returns whether every delayed task is in memory. */
    public boolean knowsDelayed() {
        return liveDelayed == delayed;
    }
}
