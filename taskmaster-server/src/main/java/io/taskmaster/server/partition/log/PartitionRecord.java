package io.taskmaster.server.partition.log;

import io.taskmaster.server.store.Stamp;

/**
 * The owner of a partition, and from where its log is to be replayed. One cell, changed only by compare-and-set of the whole value.
 * Immutable.
 *
 * <pre>
 *   UNOWNED --taken over--> OPEN --settled, nothing in flight--> CLOSED --taken over--> OPEN
 *                            |                                    |
 *                            +--taken over--> OPEN, or, with many unclean ends, SCRUBBING --all rows rewritten--> OPEN
 *                                                               (taken over: SCRUBBING again)
 * </pre>
 *
 * @param epoch counts the owners; 0: nobody ever
 * @param owner the name of the owner, for people
 * @param nonce drawn by the owner when it took over
 * @param stage of this epoch
 * @param lastCompleteRound the last flush round of this epoch whose writes are all durable; 0: none
 * @param endedRounds of the epochs before this one
 * @param sweptTo of the epochs before this one the log holds nothing but fences
 * @param mapVersion of the partition map under which the owner took over
 */
public record PartitionRecord(
        long epoch,
        String owner,
        Nonce nonce,
        Stage stage,
        Checkpoint checkpoint,
        long lastCompleteRound,
        EndedRounds endedRounds,
        long sweptTo,
        long mapVersion) {

    /** What an epoch has come to. */
    public enum Stage {
        /** Its owner serves, or dies without a word. */
        OPEN,
        /** Its owner has written everything to the rows, has nothing in flight, and writes nothing any more. */
        CLOSED,
        /** Its owner rewrites the rows under its own stamp, and does not serve before that is done. */
        SCRUBBING
    }

    /** The round under which rows are rewritten; complete by declaration, since it changes no value. */
    static final long SCRUB_ROUND = 1;

    /** The state of a partition that nobody ever owned; never stored. */
    static final PartitionRecord UNOWNED =
            new PartitionRecord(0, "", new Nonce(0, 0), Stage.CLOSED, Checkpoint.START, 0, EndedRounds.NONE, 1, 0);

    public PartitionRecord {
        if (epoch < 0 || lastCompleteRound < 0 || mapVersion < 0) {
            throw new IllegalArgumentException(
                    "partition record: epoch %d, round %d, map version %d (expected: not negative)"
                            .formatted(epoch, lastCompleteRound, mapVersion));
        }
        if (checkpoint.epoch() > epoch) {
            throw new IllegalArgumentException("partition record: checkpoint in epoch %d (expected: at most %d)"
                    .formatted(checkpoint.epoch(), epoch));
        }
        if (sweptTo < 1 || sweptTo > Math.max(1, epoch)) {
            throw new IllegalArgumentException(
                    "partition record: swept to epoch %d (expected: 1 to %d)".formatted(sweptTo, epoch));
        }
    }

    /**
     * Whether a cell with this stamp counts, for the owner of this record: it wrote it itself, or the round it was written in is
     * known to have become whole. Any other cell is as good as absent.
     */
    public boolean believes(Stamp stamp) {
        return stamp.epoch() == epoch || (stamp.epoch() < epoch && endedRounds.believes(stamp));
    }

    /**
     * The record with which somebody takes over from this one, under a map that is no older.
     *
     * @param scrubs how many unclean ends are too many
     */
    PartitionRecord succeededBy(Contender next, Nonce nextNonce, ScrubRule scrubs) {
        EndedRounds ended = stage == Stage.CLOSED ? endedRounds : endedRounds.with(epoch, lastCompleteRound);
        boolean scrub = stage == Stage.SCRUBBING || scrubs.isDue(ended.unclean().size(), epoch + 1);
        return new PartitionRecord(
                epoch + 1,
                next.name(),
                nextNonce,
                scrub ? Stage.SCRUBBING : Stage.OPEN,
                checkpoint,
                scrub ? SCRUB_ROUND : 0,
                ended,
                sweptTo,
                next.mapVersion());
    }

    /** The record when every row that counts has the stamp of this epoch. */
    PartitionRecord scrubbed() {
        return new PartitionRecord(
                epoch,
                owner,
                nonce,
                Stage.OPEN,
                checkpoint,
                lastCompleteRound,
                EndedRounds.since(epoch),
                sweptTo,
                mapVersion);
    }

    /** The record after a flush round of this epoch. */
    PartitionRecord advancedTo(Checkpoint next, long round, long swept) {
        if (round <= lastCompleteRound) {
            throw new IllegalArgumentException("round: %d (expected: above %d)".formatted(round, lastCompleteRound));
        }
        return at(Stage.OPEN, next, round, swept);
    }

    /** The record with which an owner ends that has written everything to the rows and has nothing in flight. */
    PartitionRecord closedAt(Checkpoint last, long swept) {
        return at(Stage.CLOSED, last, lastCompleteRound, swept);
    }

    private PartitionRecord at(Stage next, Checkpoint last, long round, long swept) {
        if (stage != Stage.OPEN || last.epoch() != epoch || checkpoint.isAfter(last)) {
            throw new IllegalArgumentException("checkpoint: %s in stage %s (expected: in epoch %d, open, not before %s)"
                    .formatted(last, stage, epoch, checkpoint));
        }
        return new PartitionRecord(epoch, owner, nonce, next, last, round, endedRounds, swept, mapVersion);
    }
}
