package io.taskmaster.server.store;

/**
 * Who wrote a cell: the owner's epoch, and its flush round within that epoch. Ordered by epoch, then round. An older stamp never
 * replaces or deletes a newer one. Immutable.
 *
 * <p>Those that are written stay within {@link #MAX_EPOCH} and {@link #MAX_ROUND}, so that a stamp fits the timestamp of any store's cell:
 * Bigtable counts microseconds in 63 bits and hands out milliseconds, which leaves 53. That is eight million epochs for a partition, and 34
 * years of rounds of a second for an epoch.
 */
public record Stamp(long epoch, long round) implements Comparable<Stamp> {

    /** The last epoch that a partition can have. */
    public static final long MAX_EPOCH = (1L << 23) - 1;

    /** The last round that an epoch can have. */
    public static final long MAX_ROUND = (1L << 30) - 1;

    /** What reads show for cells that are written without a stamp: 0.0. */
    public static final Stamp NONE = new Stamp(0, 0);

    public Stamp {
        if (epoch < 0 || round < 0) {
            throw new IllegalArgumentException("stamp: " + epoch + "." + round + " (expected: not negative)");
        }
    }

    @Override
    public int compareTo(Stamp other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(round, other.round);
    }
}
