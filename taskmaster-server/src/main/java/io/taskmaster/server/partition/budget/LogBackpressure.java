package io.taskmaster.server.partition.budget;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bound on the bytes of a node that wait for its logs: as many as the store accepts in the longest time that an
 * atom should wait (ADR 8). The bound follows the store. The wait of one atom at a time is measured in each partition,
 * and the bytes that waited with it give the throughput of the store (Little's law). A bound that was too high falls to
 * what fits, by the mean of some atoms. One that was too low grows by steps; while no append meets it, it stays. It
 * starts low, so that the first waits show the latency of the store for next to no bytes. Partitions with less than
 * their part waiting are not held back: the bound is divided among the groups with something to append. Thread-safe.
 */
public final class LogBackpressure {

    /** The least bound: some tasks. This much may always wait, whatever the store. */
    public static final long MIN_BYTES = 4 << 10;

    /** The least bound of a partition: about one task may always wait. */
    static final long MIN_SHARE_BYTES = 1 << 10;

    /** A store that is slow by nature is allowed this many times its usual wait for next to no bytes... */
    static final int MAX_USUAL_FACTOR = 2;

    /** ...of which at most this many times the shortest wait of the last minute is believed. */
    private static final int MAX_SHORTEST_FACTOR = 8;

    /** The time constant of the usual wait: a value of this age has a weight of about a third. */
    static final double USUAL_WINDOW_MILLIS = 2_000;

    private static final long SHORTEST_WINDOW_MILLIS = 30_000;

    /** The number of atoms whose mean is judged: waits of single atoms jitter, whatever waits with them. */
    static final double MEAN_WINDOW = 8;

    private final long waitMillis;
    private final AtomicLong waitingBytes = new AtomicLong();

    /**
     * The number of groups with something waiting in all partitions, at least one for each partition with something
     * waiting.
     */
    private final AtomicInteger busyGroups = new AtomicInteger();

    private volatile long limit = MIN_BYTES;
    private volatile boolean limitReached;

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
    private long previousShortestMillis = Long.MAX_VALUE;

    @GuardedBy("this")
    private long windowBeganMillis;

    /**
     * Creates a bound.
     *
     * @param waitMillis the longest time that an atom should wait for its log
     */
    public LogBackpressure(long waitMillis) {
        this.waitMillis = waitMillis;
    }

    /** Returns the share of a new partition. */
    public Share share() {
        return new Share();
    }

    public long limit() {
        return limit;
    }

    /** The number of bytes that wait now. */
    public long waitingBytes() {
        return waitingBytes.get();
    }

    /** The mean wait of the last few atoms that were measured; 0 before the first. */
    public synchronized double usualWaitMillis() {
        return Double.isNaN(meanMillis) ? 0 : meanMillis;
    }

    /**
     * Adjusts the bound after the measured atom of a partition has become durable.
     *
     * @param bytes the bytes that waited when it was appended, its own included
     * @param waited its wait in milliseconds
     */
    private synchronized void measured(long bytes, long waited, long nowMillis) {
        double allowed = Math.max((double) waitMillis, naturalMillis(bytes, waited, nowMillis));
        meanBytes = mean(meanBytes, (double) bytes);
        meanMillis = mean(meanMillis, (double) waited);
        if (meanMillis > allowed) {
            // Little's law: the store takes meanBytes in meanMillis, so this much in the time allowed.
            limit = Math.min(limit, Math.max(MIN_BYTES, (long) (meanBytes * allowed / meanMillis)));
        } else if (limitReached && waited <= allowed) {
            // Relative to what was waiting, not to the bound: several partitions may report the same shortage, which
            // must raise it only once.
            limit = Math.max(limit, bytes + bytes / 4);
            limitReached = false;
        }
    }

    private static double mean(double before, double now) {
        return Double.isNaN(before) ? now : before + (now - before) / MEAN_WINDOW;
    }

    /**
     * The wait that is allowed for a store that is slow by nature. The usual wait is learned while next to nothing
     * waits; while more waits, a shorter wait still lowers it. A value learned from a cold or stalled store is capped
     * by much shorter waits seen since.
     */
    @GuardedBy("this")
    private double naturalMillis(long bytes, long waited, long nowMillis) {
        if (nowMillis - windowBeganMillis >= SHORTEST_WINDOW_MILLIS) {
            previousShortestMillis = shortestMillis;
            shortestMillis = Long.MAX_VALUE;
            windowBeganMillis = nowMillis;
        }
        shortestMillis = Math.min(waited, shortestMillis);
        if (Double.isNaN(usualMillis)) {
            usualMillis = (double) waited;
        } else if (bytes <= MIN_BYTES || limit == MIN_BYTES || (double) waited < usualMillis) {
            // Learned at the least bound, too, where no less can wait. The weight follows the time since the last
            // measurement, so that many atoms in a short while teach no more than one.
            usualMillis += Math.min(1, (nowMillis - measuredAtMillis) / USUAL_WINDOW_MILLIS) * (waited - usualMillis);
        }
        measuredAtMillis = nowMillis;
        double shortest = (double) Math.min(shortestMillis, previousShortestMillis);
        return Math.min(MAX_USUAL_FACTOR * usualMillis, MAX_SHORTEST_FACTOR * shortest);
    }

    /** The share of one partition. Single-threaded: owned by the partition's loop. */
    public final class Share {

        private long ownBytes;

        /** The ticket of the atom whose wait is measured; 0: none. */
        private long ticket;

        private long probeBytes;
        private long sinceMillis;
        private boolean released;

        /** The number of groups that wait to append. */
        private int groups = 1;

        /** The number of them that is counted in the sum. */
        private int countedGroups;

        private Share() {}

        /** Returns true if nothing more should be appended while this many bytes of the partition wait. */
        public boolean isFull(long currentBytes) {
            // The sum contains the bytes of this partition as last counted; the difference brings them up to date.
            if (currentBytes < MIN_SHARE_BYTES || waitingBytes.get() + currentBytes - ownBytes < limit) {
                return false;
            }
            // Also where the part below lets more in: the bound was met, so it may be too low.
            limitReached = true;
            return currentBytes >= (double) limit * groups / Math.max(groups, busyGroups.get());
        }

        /** Sets the number of groups of this partition that wait to append. */
        public void waiting(int groupsNow) {
            groups = Math.max(1, groupsNow);
            countGroups();
        }

        /**
         * Notes that everything up to a ticket has been appended.
         *
         * @param currentBytes the bytes of this partition that wait now
         */
        public void appended(long lastTicket, long currentBytes, long nowMillis) {
            count(currentBytes);
            if (ticket == 0 && currentBytes > 0 && !released) {
                ticket = lastTicket;
                probeBytes = waitingBytes.get();
                sinceMillis = nowMillis;
            }
        }

        /**
         * Notes that everything up to a ticket is durable.
         *
         * @param currentBytes the bytes of this partition that still wait
         */
        public void committed(long lastTicket, long currentBytes, long nowMillis) {
            count(currentBytes);
            if (ticket != 0 && lastTicket >= ticket) {
                ticket = 0;
                // The clock has a resolution of milliseconds: a shorter wait counts as one.
                measured(probeBytes, Math.max(1, nowMillis - sinceMillis), nowMillis);
            }
        }

        /** Removes the share: nothing of it waits any more. */
        public void release() {
            count(0);
            ticket = 0;
            released = true;
        }

        private void count(long currentBytes) {
            if (released) {
                return;
            }
            waitingBytes.addAndGet(currentBytes - ownBytes);
            ownBytes = currentBytes;
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
