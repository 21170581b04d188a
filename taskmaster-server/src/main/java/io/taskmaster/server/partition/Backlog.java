package io.taskmaster.server.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of a node may wait for its logs: as many as the store takes in the time that anybody should wait for it. The bound follows
 * the store: now and then an atom's wait is measured, and what waited with it says how fast the store is (Little's law). A bound that was
 * too high falls to what fits at once, one that was too low grows by steps, and while nobody meets it, it stays. It begins low, so that
 * the first waits show what the store takes for next to nothing. Partitions that have less waiting than their part are let in all the same.
 * Thread-safe.
 */
public final class Backlog {

    /** Some tasks. As much may always wait, whatever the store. */
    static final long MIN_BYTES = 16 << 10;

    /** About one task: as much of a partition may always wait. */
    static final long MIN_SHARE_BYTES = 1 << 10;

    /** A store that is slow by nature is not asked for less than this many times its shortest wait. */
    static final int SLOWEST_OF_SHORTEST = 2;

    /** If all waits of such a time are too long although next to nothing waits, it is the nature of the store. */
    static final long NATURE_MILLIS = 1_000;

    private final long waitMillis;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicInteger busyShares = new AtomicInteger();
    private volatile long limit = MIN_BYTES;
    private volatile boolean met;

    @GuardedBy("this")
    private long shortestMillis = Long.MAX_VALUE / SLOWEST_OF_SHORTEST;

    /** When the first of the waits in a row ended that were too long although next to nothing waited; 0: the last was not. */
    @GuardedBy("this")
    private long slowSinceMillis;

    @GuardedBy("this")
    private long shortestSinceMillis;

    /**
     * @param waitMillis how long an atom should wait for its log at most
     */
    public Backlog(long waitMillis) {
        this.waitMillis = waitMillis;
    }

    /** A partition's part in it. */
    Share share() {
        return new Share();
    }

    long limit() {
        return limit;
    }

    /**
     * An atom has become durable.
     *
     * @param bytes what waited when it was appended, itself included
     * @param waited milliseconds
     */
    private synchronized void measured(long bytes, long waited, long nowMillis) {
        shortestMillis = Math.min(waited, shortestMillis);
        long allowed = Math.max(waitMillis, SLOWEST_OF_SHORTEST * shortestMillis);
        if (waited <= allowed) {
            slowSinceMillis = 0;
            if (met) {
                // By what was waiting, not by what the bound has become: many may say the same.
                limit = Math.max(limit, bytes + bytes / 4);
                met = false;
            }
        } else if (limit > MIN_BYTES) {
            slowSinceMillis = 0;
            limit = Math.min(limit, Math.max(MIN_BYTES, (long) (bytes * (double) allowed / waited)));
        } else {
            tooLongForLittle(waited, nowMillis);
        }
    }

    @GuardedBy("this")
    private void tooLongForLittle(long waited, long nowMillis) {
        if (slowSinceMillis == 0) {
            slowSinceMillis = nowMillis;
            shortestSinceMillis = waited;
        }
        shortestSinceMillis = Math.min(waited, shortestSinceMillis);
        if (nowMillis - slowSinceMillis >= NATURE_MILLIS) {
            slowSinceMillis = 0;
            shortestMillis = shortestSinceMillis;
        }
    }

    /** What waits of one partition. Single-threaded: owned by the partition's loop. */
    final class Share {

        private long ownBytes;

        /** Of the atom whose wait is measured; 0: none is. */
        private long ticket;

        private long bytesWithIt;
        private long sinceMillis;

        private Share() {}

        /** Whether nothing more should be appended while so many bytes of this partition wait. */
        boolean isFull(long ownBytesNow) {
            if (ownBytesNow < MIN_SHARE_BYTES || waitingBytes.get() + ownBytesNow - ownBytes < limit) {
                return false;
            }
            met = true;
            return ownBytesNow >= limit / Math.max(1, busyShares.get());
        }

        /**
         * Everything up to a ticket has been appended.
         *
         * @param ownBytesNow what waits of this partition now
         */
        void appended(long lastTicket, long ownBytesNow, long nowMillis) {
            count(ownBytesNow);
            if (ticket == 0 && ownBytesNow > 0) {
                ticket = lastTicket;
                bytesWithIt = waitingBytes.get();
                sinceMillis = nowMillis;
            }
        }

        /**
         * Everything up to a ticket is durable.
         *
         * @param ownBytesNow what still waits of this partition
         */
        void committed(long lastTicket, long ownBytesNow, long nowMillis) {
            count(ownBytesNow);
            if (ticket != 0 && lastTicket >= ticket) {
                ticket = 0;
                // The clock counts milliseconds: what took less counts as one.
                measured(bytesWithIt, Math.max(1, nowMillis - sinceMillis), nowMillis);
            }
        }

        /** Nothing of it waits any more. */
        void release() {
            count(0);
            ticket = 0;
        }

        private void count(long ownBytesNow) {
            waitingBytes.addAndGet(ownBytesNow - ownBytes);
            if ((ownBytes > 0) != (ownBytesNow > 0)) {
                busyShares.addAndGet(ownBytesNow > 0 ? 1 : -1);
            }
            ownBytes = ownBytesNow;
        }
    }
}
