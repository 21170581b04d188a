package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Table;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LanesTest {

    private final Lanes lanes = new Lanes(10, 4);

    @Test
    void slicesAreCutWhereTablesAre() {
        assertThat(IntStream.range(0, 10).map(partition -> lanes.slice(row(partition))))
                .containsExactly(0, 0, 1, 1, 1, 2, 2, 3, 3, 3);
    }

    @Test
    void whatIsBeyondOrTooShortHasALaneToo() {
        assertThat(lanes.slice(row(0xffff))).isEqualTo(3);
        assertThat(lanes.slice(Bytes.EMPTY)).isEqualTo(0);
        assertThat(lanes.slice(Bytes.wrap(new byte[] {1}))).isEqualTo(3);
    }

    @Test
    void claimHasALaneOfItsOwn() {
        int claim = lanes.of(Table.META, row(0));

        assertThat(claim).isNotEqualTo(lanes.of(Table.META, row(1))).isNotEqualTo(lanes.of(Table.LOG, row(0)));
    }

    @Test
    void recordsAndAllElseOfASliceGoApartAndTablesOfItTogether() {
        assertThat(lanes.of(Table.META, row(5))).isNotEqualTo(lanes.of(Table.LOG, row(5)));
        assertThat(lanes.of(Table.TASKS, row(5)))
                .isEqualTo(lanes.of(Table.DELAYED, row(6)))
                .isEqualTo(lanes.of(Table.LOG, row(6)));
    }

    @Test
    void lanesAreCountedFromZero() {
        assertThat(lanes.of(Table.META, row(0))).isEqualTo(0);
        assertThat(lanes.of(Table.LOG, row(9))).isEqualTo(lanes.count() - 1);
    }

    @Test
    void manyRegionsShareLanes() {
        assertThat(Lanes.of(256, 4)).isEqualTo(new Lanes(256, 4));
        assertThat(Lanes.of(256, 200)).isEqualTo(new Lanes(256, 16));
    }

    private static Bytes row(int partition) {
        return Bytes.wrap(new byte[] {(byte) (partition >> Byte.SIZE), (byte) partition, 'x'});
    }
}
