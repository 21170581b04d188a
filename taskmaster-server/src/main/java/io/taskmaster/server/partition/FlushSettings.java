package io.taskmaster.server.partition;

/**
 * How dirty state is brought to the rows. Immutable.
 *
 * @param intervalMillis it is written after this time at the latest
 * @param dueBytes or once there is so much of it
 * @param stagedBytes a round of this size is staged and then synced; a smaller one is written durably piece by piece, since there are
 *     many partitions, and syncing the store for each small round would cost more than it spares
 * @param pieceBytes a round is written in pieces of about this size
 * @param piecesInFlight and so many of them at once
 */
public record FlushSettings(long intervalMillis, long dueBytes, long stagedBytes, int pieceBytes, int piecesInFlight) {

    public static final FlushSettings DEFAULTS = new FlushSettings(1000, 16L << 20, 4L << 20, 512 << 10, 16);

    /** The same for so much dirty memory: a round is due well before that is full. */
    FlushSettings within(long dirtyBytes) {
        return new FlushSettings(
                intervalMillis, Math.min(dueBytes, dirtyBytes / 4), stagedBytes, pieceBytes, piecesInFlight);
    }
}
