package io.taskmaster.server.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of a node may wait for its logs: as many as the store takes in the time that anybody should wait for it. The bound follows
 * the store: now and then an atom's wait is measured, and what waited with it says how fast the store is (Little's law). A bound that was
 * too high falls to what fits, by the mean of some atoms; one that was too low grows by steps, and while nobody meets it, it stays. It begins low, so that
 * the first waits show what the store takes for next to nothing. Partitions that have less waiting than their part are let in all the same: the
 * bound is divided among the groups that want something of the log. Thread-safe.
 */
public final class Backlog {

    /** Next to nothing: some tasks. As much may always wait, whatever the store. */
    static final long MIN_BYTES = 4 << 10;

    /** About one task: as much of a partition may always wait. */
    static final long MIN_SHARE_BYTES = 1 << 10;

    /** A store that is slow by nature is not asked for less than this many times what it takes for next to nothing... */
    static final int MOST_OF_USUAL = 2;

    /** ...of which this many times the shortest wait of the last minute is the most that is believed. */
    private static final int MOST_OF_SHORTEST = 8;

    /** What was usual so long ago counts for a third. */
    static final double USUAL_MILLIS = 2_000;

    private static final long SHORTEST_MILLIS = 30_000;

    /** What is judged is the mean of about so many atoms: the waits of single ones jitter, whatever waits with them. */
    static final double MEAN_OF = 8;

    private final long waitMillis;
    private final AtomicLong waitingBytes = new AtomicLong();

    /** In all partitions, at least one in each that has something waiting. */
    private final AtomicInteger busyGroups = new AtomicInteger();

    private volatile long limit = MIN_BYTES;
    private volatile boolean met;

    @GuardedBy("this")
    private double meanBytes = Double.NaN;

    @GuardedBy("this")
    private double meanMillis = Double.NaN;

    /** The usual wait when next to nothing waits, or less. */
    @GuardedBy("this")
    private double usualMillis = Double.NaN;

    @GuardedBy("this")
    private long measuredAtMillis;

    /** The shortest waits of this half minute and of the one before. */
    @GuardedBy("this")
    private long shortestMillis = Long.MAX_VALUE;

    @GuardedBy("this")
    private long shortestBefore = Long.MAX_VALUE;

    @GuardedBy("this")
    private long halfBeganMillis;

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

    /** How many bytes wait now. */
    long waitingBytes() {
        return waitingBytes.get();
    }

    /** How long the last few atoms that were measured waited in the mean; 0 before the first. */
    synchronized double usualWaitMillis() {
        return Double.isNaN(meanMillis) ? 0 : meanMillis;
    }

    /**
     * An atom has become durable.
     *
     * @param bytes what waited when it was appended, itself included
     * @param waited milliseconds
     */
    private synchronized void measured(long bytes, long waited, long nowMillis) {
        double allowed = Math.max((double) waitMillis, naturalMillis(bytes, waited, nowMillis));
        meanBytes = mean(meanBytes, (double) bytes);
        meanMillis = mean(meanMillis, (double) waited);
        if (meanMillis > allowed) {
            limit = Math.min(limit, Math.max(MIN_BYTES, (long) (meanBytes * allowed / meanMillis)));
        } else if (met && waited <= allowed) {
            // By what was waiting, not by what the bound has become: many may say the same.
            limit = Math.max(limit, bytes + bytes / 4);
            met = false;
        }
    }

    private static double mean(double before, double now) {
        return Double.isNaN(before) ? now : before + (now - before) / MEAN_OF;
    }

    /**
     * What a store that is slow by nature takes. The usual wait is learned where next to nothing waits; where more does, a shorter wait
     * still says that it was too high. What was learned when all was cold, or held up, is not believed beside much shorter waits.
     */
    @GuardedBy("this")
    private double naturalMillis(long bytes, long waited, long nowMillis) {
        if (nowMillis - halfBeganMillis >= SHORTEST_MILLIS) {
            shortestBefore = shortestMillis;
            shortestMillis = Long.MAX_VALUE;
            halfBeganMillis = nowMillis;
        }
        shortestMillis = Math.min(waited, shortestMillis);
        if (Double.isNaN(usualMillis)) {
            usualMillis = (double) waited;
        } else if (bytes <= MIN_BYTES || limit == MIN_BYTES || (double) waited < usualMillis) {
            usualMillis += Math.min(1, (nowMillis - measuredAtMillis) / USUAL_MILLIS) * (waited - usualMillis);
        }
        measuredAtMillis = nowMillis;
        double shortest = (double) Math.min(shortestMillis, shortestBefore);
        return Math.min(MOST_OF_USUAL * usualMillis, MOST_OF_SHORTEST * shortest);
    }

    /** What waits of one partition. Single-threaded: owned by the partition's loop. */
    final class Share {

        private long ownBytes;

        /** Of the atom whose wait is measured; 0: none is. */
        private long ticket;

        private long bytesWithIt;
        private long sinceMillis;
        private boolean released;

        /** How many groups wait to append. */
        private int groups = 1;

        /** How many of them are counted in the whole. */
        private int countedGroups;

        private Share() {}

        /** Whether nothing more should be appended while so many bytes of this partition wait. */
        boolean isFull(long ownBytesNow) {
            if (ownBytesNow < MIN_SHARE_BYTES || waitingBytes.get() + ownBytesNow - ownBytes < limit) {
                return false;
            }
            met = true;
            return ownBytesNow >= (double) limit * groups / Math.max(groups, busyGroups.get());
        }

        /** So many groups of this partition wait to append something. */
        void waiting(int groupsNow) {
            groups = Math.max(1, groupsNow);
            countGroups();
        }

        /**
         * Everything up to a ticket has been appended.
         *
         * @param ownBytesNow what waits of this partition now
         */
        void appended(long lastTicket, long ownBytesNow, long nowMillis) {
            count(ownBytesNow);
            if (ticket == 0 && ownBytesNow > 0 && !released) {
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
            released = true;
        }

        private void count(long ownBytesNow) {
            if (released) {
                return;
            }
            waitingBytes.addAndGet(ownBytesNow - ownBytes);
            ownBytes = ownBytesNow;
            countGroups();
        }

        private void countGroups() {
            int counted = ownBytes > 0 ? groups : 0;
            if (counted != countedGroups) {
                busyGroups.addAndGet(counted - countedGroups);
                countedGroups = counted;
            }
        }
    }
}
