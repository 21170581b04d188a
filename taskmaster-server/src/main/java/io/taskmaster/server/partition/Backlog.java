package io.taskmaster.server.partition;

/**
 * How many bytes may wait for the log: as many as the store takes in the time that anybody should wait for it. The bound follows the
 * store: now and then an atom's wait is measured, and what waited with it says how fast the log is (Little's law). A bound that was too
 * high falls to what fits at once, one that was too low grows by steps, and while nobody meets it it stays. Single-threaded: owned by the
 * partition's loop.
 */
final class Backlog {

    /** About one task: partitions are many, and what they have waiting adds up in the store. */
    static final long MIN_BYTES = 2 << 10;

    /** A store that is slow by nature is not asked for less than this many times its shortest wait. */
    private static final int SLOWEST_OF_SHORTEST = 2;

    /** The shortest wait is forgotten slowly: it doubles in so much time, unless it is seen again. */
    private static final double FORGET_MILLIS = 300_000;

    private final long waitMillis;
    private long limit = Long.MAX_VALUE;
    private boolean met;
    private double shortestMillis = Double.MAX_VALUE;
    private long measuredAtMillis;

    /** Of the atom whose wait is measured; 0: none is. */
    private long ticket;

    private long bytes;
    private long sinceMillis;

    /**
     * @param waitMillis how long an atom should wait for the log at most
     */
    Backlog(long waitMillis) {
        this.waitMillis = waitMillis;
    }

    /** Whether nothing more should be appended while so many bytes wait. */
    boolean isFull(long waitingBytes) {
        boolean full = waitingBytes >= limit;
        met |= full;
        return full;
    }

    long limit() {
        return limit;
    }

    /**
     * Everything up to a ticket has been appended.
     *
     * @param waitingBytes what waits now, this included
     */
    void appended(long lastTicket, long waitingBytes, long nowMillis) {
        if (ticket == 0 && waitingBytes > 0) {
            ticket = lastTicket;
            bytes = waitingBytes;
            sinceMillis = nowMillis;
        }
    }

    /** Everything up to a ticket is durable. */
    void committed(long lastTicket, long nowMillis) {
        if (ticket == 0 || lastTicket < ticket) {
            return;
        }
        ticket = 0;
        // The clock counts milliseconds: what took less counts as one.
        long waited = Math.max(1, nowMillis - sinceMillis);
        double forgotten = 1 + (nowMillis - measuredAtMillis) / FORGET_MILLIS;
        shortestMillis = Math.min((double) waited, shortestMillis * forgotten);
        measuredAtMillis = nowMillis;
        double allowed = Math.max((double) waitMillis, SLOWEST_OF_SHORTEST * shortestMillis);
        if (waited > allowed) {
            limit = Math.max(MIN_BYTES, (long) (bytes * allowed / waited));
        } else if (met) {
            limit += limit / 4;
        }
        met = false;
    }
}
