package io.taskmaster.server.partition.read;

import java.util.TreeSet;

/**
 * The reads in flight, by id. An entry that became clean after a read began must stay in memory until that read has
 * ended, since its result may show an older value. Single-threaded: owned by the partition's loop.
 */
public final class ReadIds {

    private final TreeSet<Long> inFlight = new TreeSet<>();
    private long newest;

    /** Begins a read. Its result includes everything that is clean by now. */
    long begin() {
        newest++;
        inFlight.add(newest);
        return newest;
    }

    void end(long id) {
        inFlight.remove(id);
    }

    public long newest() {
        return newest;
    }

    /** The id of the oldest read in flight; {@link Long#MAX_VALUE} if there is none. */
    long oldest() {
        return inFlight.isEmpty() ? Long.MAX_VALUE : inFlight.first();
    }
}
