package io.taskmaster.server.partition.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.server.store.Stamp;
import org.junit.jupiter.api.Test;

final class PartitionRecordTest {

    private static final Nonce NONCE = new Nonce(1, 2);

    private final PartitionRecord first = PartitionRecord.UNOWNED.succeededBy(Contender.alone("a"), NONCE);

    @Test
    void anOwnerBelievesAllThatItWroteItself() {
        assertThat(first.believes(new Stamp(1, 99))).isTrue();
    }

    @Test
    void cellsOfAnEndedEpochAreBelievedUpToItsLastCompleteRound() {
        PartitionRecord second = first.advancedTo(new Checkpoint(1, 5, 10), 2).succeededBy(Contender.alone("b"), NONCE);

        assertThat(second.believes(new Stamp(1, 2))).isTrue();
        assertThat(second.believes(new Stamp(1, 3))).isFalse();
    }

    @Test
    void cellsOfAnEpochThatCompletedNoRoundAreNotBelieved() {
        PartitionRecord second = first.succeededBy(Contender.alone("b"), NONCE);

        assertThat(second.endedRounds()).isEmpty();
        assertThat(second.believes(new Stamp(1, 0))).isFalse();
        assertThat(second.believes(new Stamp(1, 1))).isFalse();
    }

    @Test
    void cellsOfALaterOwnerAreNotBelieved() {
        assertThat(first.believes(new Stamp(2, 1))).isFalse();
    }

    @Test
    void aSuccessorStartsItsRoundsAnewAtTheSameCheckpoint() {
        PartitionRecord advanced = first.advancedTo(new Checkpoint(1, 5, 10), 2);
        PartitionRecord second = advanced.succeededBy(Contender.alone("b"), NONCE);

        assertThat(second.epoch()).isEqualTo(2);
        assertThat(second.lastCompleteRound()).isZero();
        assertThat(second.checkpoint()).isEqualTo(advanced.checkpoint());
    }

    @Test
    void neitherCheckpointNorRoundGoesBack() {
        PartitionRecord advanced = first.advancedTo(new Checkpoint(1, 5, 10), 2);

        assertThatThrownBy(() -> advanced.advancedTo(new Checkpoint(1, 4, 9), 3))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> advanced.advancedTo(new Checkpoint(1, 6, 11), 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> advanced.advancedTo(new Checkpoint(2, 0, 11), 3))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
