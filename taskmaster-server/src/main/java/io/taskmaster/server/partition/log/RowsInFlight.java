package io.taskmaster.server.partition.log;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The rows of all logs of a node that are on their way to the store: so many at most, beyond the one that every log may have. A store that
 * syncs takes so many rows in a second, whatever is in them; so one busy log may have several on their way, and of many busy ones each gathers more into
 * its next row. Thread-safe.
 */
public final class RowsInFlight {

    private final int limit;
    private final AtomicInteger count = new AtomicInteger();

    /** With a limit of at least 1. */
    public RowsInFlight(int limit) {
        this.limit = limit;
    }

    /**
     * Takes a place, if there is one.
     *
     * @param own how many the log has by now
     */
    boolean enter(int own) {
        if (count.incrementAndGet() <= limit || own == 0) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    /** How many there are now. */
    public int count() {
        return count.get();
    }

    /** Gives places back. */
    void leave(int places) {
        count.addAndGet(-places);
    }
}
