package io.taskmaster.server.partition.log.ownership;

import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.store.Stamp;

/**
 * The durable record of a partition: its owner, and the position from which its log is to be replayed. One cell,
 * changed only by compare-and-set of the whole value. Immutable.
 *
 * @param epoch the number of owners so far; 0: none yet
 * @param owner the name of the owner, for operators
 * @param nonce drawn by the owner when it took over
 * @param stage the stage of this epoch
 * @param checkpoint the position from which the log is to be replayed
 * @param lastCompleteRound the last flush round of this epoch whose writes are all durable; 0: none
 * @param endedRounds the rounds of the epochs before this one that count
 * @param sweptTo the epoch up to which the log is swept: of earlier epochs it holds only fences
 * @param mapVersion the version of the partition map under which the owner took over
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

    /**
     * The stage of an epoch.
     *
     * <pre>{@code
     * state     | event                                | next state | effect
     * ----------+--------------------------------------+------------+------------------------------------------------
     * (unowned) | taken over                           | OPEN       | epoch 1
     * OPEN      | flush round complete                 | OPEN       | checkpoint and last complete round advance
     * OPEN      | drained, nothing in flight           | CLOSED     | checkpoint at the end of the log
     * OPEN      | taken over                           | OPEN       | next epoch; this one is listed as unclean
     * OPEN      | taken over, scrub due                | SCRUBBING  | the same, and rows are rewritten before serving
     * CLOSED    | taken over                           | OPEN       | next epoch; this one counts as a whole
     * CLOSED    | taken over, scrub due                | SCRUBBING  | the same, and rows are rewritten before serving
     * SCRUBBING | all rows rewritten                   | OPEN       | the list of unclean epochs is dropped
     * SCRUBBING | taken over                           | SCRUBBING  | next epoch; this one is listed as unclean
     * }</pre>
     *
     * <p>See ADR 15 for clean ends, and {@link ScrubRule} for when a scrub is due.
     */
    public enum Stage {
        /** Serving, or ended without closing. */
        OPEN,
        /**
         * Closed clean: the owner has written everything to the rows, has nothing in flight, and writes nothing any
         * more.
         */
        CLOSED,
        /** Rewriting the rows under the stamp of this epoch; the owner does not serve before that is done. */
        SCRUBBING
    }

    /** The round under which rows are rewritten. It is complete by definition, since it changes no value. */
    public static final long SCRUB_ROUND = 1;

    /** The state of a partition that never had an owner; never stored. */
    public static final PartitionRecord UNOWNED =
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
     * Returns true if a cell with this stamp counts for the owner of this record: this epoch wrote it, or its round is
     * known to be complete. Any other cell is treated as absent.
     */
    public boolean believes(Stamp stamp) {
        return stamp.epoch() == epoch || (stamp.epoch() < epoch && endedRounds.believes(stamp));
    }

    /**
     * Returns whether a candidate may take over from this record. Not under an older map than its owner's; and, while
     * the epoch has not ended clean, not under the same version of the map either, since a version names one owner.
     * Otherwise two nodes that both consider the partition theirs would depose each other for ever (ADR 22).
     */
    public boolean admits(OwnerCandidate candidate) {
        return mapVersion < candidate.mapVersion()
                || (mapVersion == candidate.mapVersion()
                        && (stage == Stage.CLOSED || mapVersion == 0 || owner.equals(candidate.name())));
    }

    /**
     * Returns the record with which a candidate takes over from this one, which {@linkplain #admits admits} it.
     *
     * @param scrubs the rule that decides if the rows are to be rewritten first
     */
    public PartitionRecord succeededBy(OwnerCandidate next, Nonce nextNonce, ScrubRule scrubs) {
        EndedRounds ended = stage == Stage.CLOSED ? endedRounds : endedRounds.with(epoch, lastCompleteRound);
        // A scrub that was not finished is begun anew before anything is served. Its round counts as complete in
        // advance, so that a successor believes what it has rewritten already (ADR 15).
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

    /** Returns the record after a scrub, once every row that counts has the stamp of this epoch. */
    public PartitionRecord scrubbed() {
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

    /** Returns the record after a flush round of this epoch. */
    public PartitionRecord advancedTo(Checkpoint next, long round, long swept) {
        if (round <= lastCompleteRound) {
            throw new IllegalArgumentException("round: %d (expected: above %d)".formatted(round, lastCompleteRound));
        }
        return at(Stage.OPEN, next, round, swept);
    }

    /**
     * Returns the record with which an owner closes its epoch, once it has written everything to the rows and has
     * nothing in flight.
     */
    public PartitionRecord closedAt(Checkpoint last, long swept) {
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
