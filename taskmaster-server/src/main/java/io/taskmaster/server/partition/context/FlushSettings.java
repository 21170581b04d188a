package io.taskmaster.server.partition.context;

/**
 * The settings of flush rounds. Immutable.
 *
 * @param intervalMillis the longest time that state stays dirty before a round begins
 * @param dueBytes the size of dirty state at which a round begins earlier
 * @param stagedBytes the size from which a round is staged and then synced; a smaller one is written durably piece by
 *     piece, since there are many partitions, and a sync of the store for each small round would cost more than it
 *     saves
 * @param pieceBytes the approximate size of the pieces of a round
 * @param piecesInFlight the number of pieces in flight at once
 */
public record FlushSettings(long intervalMillis, long dueBytes, long stagedBytes, int pieceBytes, int piecesInFlight) {

    public static final FlushSettings DEFAULTS = new FlushSettings(1000, 16L << 20, 4L << 20, 512 << 10, 16);

    /** Returns these settings for a node with this much dirty memory: a round is due well before it is full. */
    FlushSettings within(long dirtyBytes) {
        return new FlushSettings(
                intervalMillis, Math.min(dueBytes, dirtyBytes / 4), stagedBytes, pieceBytes, piecesInFlight);
    }
}
