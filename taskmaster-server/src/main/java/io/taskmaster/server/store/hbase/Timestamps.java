package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.Stamp;

/**
 * The encoding of stamps as timestamps of cells, which keeps their order: {@code epoch << 30 | round}. HBase and
 * Bigtable return the newest version of a cell, and a delete removes only versions not newer than itself. So neither an
 * older put nor an older delete can affect a newer version. Cells without a stamp have the timestamp 0. Stateless.
 */
final class Timestamps {

    private static final int ROUND_BITS = Long.SIZE - Long.numberOfLeadingZeros(Stamp.MAX_ROUND);

    /** The largest timestamp of any cell. */
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
     * Decodes a timestamp.
     *
     * @throws IllegalArgumentException if no cell can have it
     */
    static Stamp stampOf(long timestamp) {
        if (timestamp > LAST) {
            throw new IllegalArgumentException("timestamp: " + timestamp + " (expected: at most " + LAST + ")");
        }
        return new Stamp(timestamp >>> ROUND_BITS, timestamp & Stamp.MAX_ROUND);
    }
}
