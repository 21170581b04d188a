package io.taskmaster.server.store;

/**
 * Who wrote a cell: the owner's epoch, and its flush round within that epoch. Ordered by epoch, then round. An older stamp never
 * replaces or deletes a newer one. Immutable.
 */
public record Stamp(long epoch, long round) implements Comparable<Stamp> {

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
