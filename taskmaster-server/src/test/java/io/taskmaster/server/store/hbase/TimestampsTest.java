package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.server.store.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TimestampsTest {

    private static final List<Stamp> ASCENDING = List.of(
            Stamp.NONE,
            new Stamp(0, 1),
            new Stamp(0, Stamp.MAX_ROUND),
            new Stamp(1, 0),
            new Stamp(1, 1),
            new Stamp(Stamp.MAX_EPOCH, 0),
            new Stamp(Stamp.MAX_EPOCH, Stamp.MAX_ROUND));

    @Test
    void stampsComeBackFromTheirTimestamps() {
        assertThat(ASCENDING)
                .allSatisfy(stamp ->
                        assertThat(Timestamps.stampOf(Timestamps.of(stamp))).isEqualTo(stamp));
    }

    @Test
    void timestampsAreInTheOrderOfTheStamps() {
        assertThat(ASCENDING.stream().map(Timestamps::of)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void allFitWhatBigtableCountsInMicroseconds() {
        assertThat(Timestamps.of(Stamp.NONE)).isZero();
        assertThat(Timestamps.LAST).isEqualTo((1L << 53) - 1).isLessThan(Long.MAX_VALUE / 1000);
    }

    @Test
    void stampBeyondTheLastHasNone() {
        assertThatThrownBy(() -> Timestamps.of(new Stamp(Stamp.MAX_EPOCH + 1, 0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Timestamps.of(new Stamp(0, Stamp.MAX_ROUND + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timestampOfSomebodyElseIsNoStamp() {
        assertThatThrownBy(() -> Timestamps.stampOf(Timestamps.LAST + 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
