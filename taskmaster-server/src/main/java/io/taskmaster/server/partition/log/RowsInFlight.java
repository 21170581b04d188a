package io.taskmaster.server.partition.log;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The permits for rows in flight of all logs of a node. One row of every log is always allowed; beyond that the limit
 * applies to all together. A store that syncs takes a certain number of rows per second, whatever their size. So one
 * busy log may have several rows in flight, and of many busy logs each groups more atoms into its next row.
 * Thread-safe.
 */
public final class RowsInFlight {

    private final int limit;
    private final AtomicInteger count = new AtomicInteger();

    /** Creates the permits, with a limit of at least 1. */
    public RowsInFlight(int limit) {
        this.limit = limit;
    }

    /**
     * Takes a permit if one is free.
     *
     * @param held the number of permits that the log holds already; with 0 it always gets one
     */
    boolean tryAcquire(int held) {
        // Counted before the check, so that two logs cannot both take the last permit. A log without a row in flight
        // always gets one, so none starves.
        if (count.incrementAndGet() <= limit || held == 0) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    /** The number of rows in flight. */
    public int count() {
        return count.get();
    }

    /** Returns permits. */
    void release(int places) {
        count.addAndGet(-places);
    }
}
