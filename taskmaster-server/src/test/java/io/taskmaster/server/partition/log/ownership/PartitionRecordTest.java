package io.taskmaster.server.partition.log.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.server.partition.log.ownership.PartitionRecord.Stage;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.store.Stamp;
import org.junit.jupiter.api.Test;

final class PartitionRecordTest {

    private static final Nonce NONCE = new Nonce(1, 2);

    private static final OwnerCandidate NEXT = OwnerCandidate.alone("b");

    /** A rule by which scrubs of partition 1 are due in epochs 3, 7, 11 and so on. */
    private static final ScrubRule SCRUBS = new ScrubRule(1, 4);

    private final PartitionRecord first = after(PartitionRecord.UNOWNED);

    @Test
    void anOwnerBelievesAllThatItWroteItself() {
        assertThat(first.believes(new Stamp(1, 99))).isTrue();
    }

    @Test
    void aRecordAdmitsOnlyTheOwnerOfItsMapVersionAndThoseOfLaterOnes() {
        PartitionRecord owned = PartitionRecord.UNOWNED.succeededBy(new OwnerCandidate("a#1", 7), NONCE, SCRUBS);

        assertThat(owned.admits(new OwnerCandidate("b#1", 6))).isFalse();
        assertThat(owned.admits(new OwnerCandidate("a#2", 7))).isFalse();
        assertThat(owned.admits(new OwnerCandidate("a#1", 7))).isTrue();
        assertThat(owned.admits(new OwnerCandidate("b#1", 8))).isTrue();
    }

    @Test
    void afterACleanEndTheMapVersionHasNoOwner() {
        PartitionRecord closed = PartitionRecord.UNOWNED
                .succeededBy(new OwnerCandidate("a#1", 7), NONCE, SCRUBS)
                .closedAt(new Checkpoint(1, 0, 0), 1);

        assertThat(closed.admits(new OwnerCandidate("a#2", 7))).isTrue();
        assertThat(closed.admits(new OwnerCandidate("a#2", 6))).isFalse();
    }

    @Test
    void withoutAMapEveryOwnerIsAdmitted() {
        assertThat(after(first).admits(NEXT)).isTrue();
    }

    @Test
    void cellsOfAnEndedEpochAreBelievedUpToItsLastCompleteRound() {
        PartitionRecord second = after(first.advancedTo(new Checkpoint(1, 5, 10), 2, 1));

        assertThat(second.believes(new Stamp(1, 2))).isTrue();
        assertThat(second.believes(new Stamp(1, 3))).isFalse();
    }

    @Test
    void cellsOfAnEpochThatCompletedNoRoundAreNotBelieved() {
        PartitionRecord second = after(first);

        assertThat(second.believes(new Stamp(1, 1))).isFalse();
    }

    @Test
    void ofAnEpochThatWasClosedCleanAllIsBelievedAndNothingNamed() {
        PartitionRecord second =
                after(first.advancedTo(new Checkpoint(1, 5, 10), 2, 1).closedAt(new Checkpoint(1, 6, 10), 1));

        assertThat(second.endedRounds()).isEqualTo(EndedRounds.NONE);
        assertThat(second.believes(new Stamp(1, 2))).isTrue();
        assertThat(second.checkpoint()).isEqualTo(new Checkpoint(1, 6, 10));
    }

    @Test
    void whatIsWrittenWithoutAStampIsNoCellOfAnEpoch() {
        assertThat(after(first).believes(Stamp.NONE)).isFalse();
    }

    @Test
    void cellsOfALaterOwnerAreNotBelieved() {
        assertThat(first.believes(new Stamp(2, 1))).isFalse();
    }

    @Test
    void aSuccessorStartsItsRoundsAnewAtTheSameCheckpoint() {
        PartitionRecord advanced = first.advancedTo(new Checkpoint(1, 5, 10), 2, 1);
        PartitionRecord second = after(advanced);

        assertThat(second.epoch()).isEqualTo(2);
        assertThat(second.lastCompleteRound()).isZero();
        assertThat(second.checkpoint()).isEqualTo(advanced.checkpoint());
    }

    @Test
    void neitherCheckpointNorRoundGoesBack() {
        PartitionRecord advanced = first.advancedTo(new Checkpoint(1, 5, 10), 2, 1);

        assertThatThrownBy(() -> advanced.advancedTo(new Checkpoint(1, 4, 9), 3, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> advanced.advancedTo(new Checkpoint(1, 6, 11), 2, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> advanced.advancedTo(new Checkpoint(2, 0, 11), 3, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> advanced.closedAt(new Checkpoint(1, 4, 9), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoHasClosedWritesNothingMore() {
        PartitionRecord closed = first.closedAt(new Checkpoint(1, 0, 0), 1);

        assertThatThrownBy(() -> closed.advancedTo(new Checkpoint(1, 5, 10), 2, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tooManyUncleanEndsAreScrubbedWhenItIsThePartitionsTurn() {
        PartitionRecord record = first;
        while (record.stage() != Stage.SCRUBBING) {
            record = after(record);
        }
        assertThat(record.epoch()).isEqualTo(7);
        assertThat(record.endedRounds().unclean()).hasSize(6);
        assertThat(record.believes(new Stamp(7, PartitionRecord.SCRUB_ROUND))).isTrue();

        PartitionRecord scrubbed = record.scrubbed();
        assertThat(scrubbed.stage()).isEqualTo(Stage.OPEN);
        assertThat(scrubbed.endedRounds().unclean()).isEmpty();
        assertThat(scrubbed.believes(new Stamp(6, 1))).isFalse();
        PartitionRecord next = after(scrubbed);
        assertThat(next.believes(new Stamp(7, PartitionRecord.SCRUB_ROUND))).isTrue();
        assertThat(next.believes(new Stamp(6, 1))).isFalse();
    }

    /**
     * Verifies that the successor of a scrubbing owner scrubs: rewritten rows count, but until all are rewritten the
     * others count too, and writes of the old owner may still be in flight.
     */
    @Test
    void whoTakesOverFromAScrubbingOwnerScrubs() {
        PartitionRecord record = first.advancedTo(new Checkpoint(1, 5, 10), 2, 1);
        while (record.stage() != Stage.SCRUBBING) {
            record = after(record);
        }
        PartitionRecord next = after(record);

        assertThat(next.stage()).isEqualTo(Stage.SCRUBBING);
        assertThat(next.believes(new Stamp(record.epoch(), PartitionRecord.SCRUB_ROUND)))
                .isTrue();
        assertThat(next.believes(new Stamp(1, 2))).isTrue();
        assertThat(next.scrubbed().believes(new Stamp(record.epoch(), PartitionRecord.SCRUB_ROUND)))
                .isFalse();
    }

    @Test
    void partitionsTakeTurnsToBeScrubbedUnlessThereIsNoRoomForThat() {
        assertThat(SCRUBS.isDue(3, 3)).as("too few").isFalse();
        assertThat(SCRUBS.isDue(4, 3)).isTrue();
        assertThat(SCRUBS.isDue(4, 4)).as("another's turn").isFalse();
        assertThat(new ScrubRule(0, 4).isDue(4, 4)).isTrue();
        assertThat(SCRUBS.isDue(31, 4)).isFalse();
        assertThat(SCRUBS.isDue(32, 4)).as("a record of an older version").isTrue();
    }

    private static PartitionRecord after(PartitionRecord before) {
        return before.succeededBy(NEXT, NONCE, SCRUBS);
    }
}
