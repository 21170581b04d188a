package io.taskmaster.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Pid;
import org.junit.jupiter.api.Test;

/** Tests of the PIDs that the engine assigns. */
final class FifoPidTest {

    @Test
    void theyGrowWithTicketAndIndexInTheOrderOfTheirBytes() {
        FifoPid[] ascending = {
            FifoPid.NONE,
            new FifoPid(1, 0),
            new FifoPid(1, 1),
            new FifoPid(1, -1),
            new FifoPid(2, 0),
            new FifoPid(256, 0)
        };
        for (int i = 1; i < ascending.length; i++) {
            assertThat(ascending[i]).isGreaterThan(ascending[i - 1]);
            assertThat(ascending[i].toPid()).isGreaterThan(ascending[i - 1].toPid());
        }
        assertThat(ascending[1].toPid()).isGreaterThan(Pid.of("~~~ ASCII text"));
    }

    @Test
    void theyAreReadBackAndNothingElseIs() {
        FifoPid fifo = new FifoPid(1L << 40, -7);
        assertThat(FifoPid.parse(fifo.toPid())).contains(fifo);
        assertThat(FifoPid.parse(Pid.of("0123456789abc"))).isEmpty();
        assertThat(FifoPid.parse(fifo.toPid().successor())).isEmpty();
        assertThat(FifoPid.parse(Pid.EMPTY)).isEmpty();
    }

    @Test
    void theNextOneIsThePlaceInTheAtomIfThatIsAboveAllSoFar() {
        assertThat(FifoPid.NONE.next(9, 3)).isEqualTo(new FifoPid(9, 3));
        assertThat(new FifoPid(8, 100).next(9, 3)).isEqualTo(new FifoPid(9, 3));
    }

    @Test
    void theNextOneFollowsAnExplicitOneThatIsFurtherOn() {
        assertThat(new FifoPid(50, 7).next(9, 3)).isEqualTo(new FifoPid(50, 8));
        assertThat(new FifoPid(50, -1).next(9, 3)).isEqualTo(new FifoPid(51, 0));
        assertThat(new FifoPid(9, 3).next(9, 3)).as("or has its place").isEqualTo(new FifoPid(9, 4));
    }

    @Test
    void explicitOnesThatLeaveNoRoomAreOutOfRange() {
        assertThat(FifoPid.isOutOfRange(new FifoPid(Long.MAX_VALUE, 0).toPid())).isTrue();
        assertThat(FifoPid.isOutOfRange(new FifoPid(-1, 0).toPid())).isTrue();
        assertThat(FifoPid.isOutOfRange(new FifoPid(Long.MAX_VALUE >>> 1, -1).toPid()))
                .isFalse();
        assertThat(FifoPid.isOutOfRange(FifoPid.NONE.toPid())).isFalse();
        assertThat(FifoPid.isOutOfRange(Pid.of("anything else"))).isFalse();
    }
}
