package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.Stamp;

/**
 * Stamps as the timestamps of cells, in their order: {@code epoch << 30 | round}. HBase and Bigtable show the newest version of a cell, and
 * a delete takes what is not newer than itself, so neither an older put nor an older delete can harm what is newer. Cells without a stamp
 * have the timestamp 0. Stateless.
 */
final class Timestamps {

    private static final int ROUND_BITS = Long.SIZE - Long.numberOfLeadingZeros(Stamp.MAX_ROUND);

    /** No cell of ours is newer. */
    static final long LAST = of(new Stamp(Stamp.MAX_EPOCH, Stamp.MAX_ROUND));

    private Timestamps() {}

    static long of(Stamp stamp) {
        if (stamp.epoch() > Stamp.MAX_EPOCH || stamp.round() > Stamp.MAX_ROUND) {
            throw new IllegalArgumentException("stamp: " + stamp + " (expected: at most epoch " + Stamp.MAX_EPOCH
                    + " and round " + Stamp.MAX_ROUND + ")");
        }
        return stamp.epoch() << ROUND_BITS | stamp.round();
    }

    /**
     * @throws IllegalArgumentException if no cell of ours can have it
     */
    static Stamp stampOf(long timestamp) {
        if (timestamp > LAST) {
            throw new IllegalArgumentException("timestamp: " + timestamp + " (expected: at most " + LAST + ")");
        }
        return new Stamp(timestamp >>> ROUND_BITS, timestamp & Stamp.MAX_ROUND);
    }
}
