package io.taskmaster.server.store;

/**
 * The version of a cell: the epoch of the owner that wrote it, and the flush round within that epoch. Ordered by epoch,
 * then round. An older stamp never replaces or deletes a newer one. Immutable.
 *
 * <p>Stamps that are written stay within {@link #MAX_EPOCH} and {@link #MAX_ROUND}, so that a stamp fits the cell
 * timestamp of any store: Bigtable counts microseconds in 63 bits and accepts milliseconds, which leaves 53 bits. That
 * suffices for eight million epochs of a partition, and for 34 years of one round per second in an epoch.
 */
public record Stamp(long epoch, long round) implements Comparable<Stamp> {

    /** The last epoch that a partition can have. */
    public static final long MAX_EPOCH = (1L << 23) - 1;

    /** The last round that an epoch can have. */
    public static final long MAX_ROUND = (1L << 30) - 1;

    /** The stamp that reads return for cells written without one: 0.0. */
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
