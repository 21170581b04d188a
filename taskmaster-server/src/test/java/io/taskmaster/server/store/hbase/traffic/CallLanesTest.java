package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Table;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CallLanesTest {

    private final CallLanes callLanes = new CallLanes(10, 4);

    @Test
    void slicesAreCutWhereTablesAre() {
        assertThat(IntStream.range(0, 10).map(partition -> callLanes.slice(row(partition))))
                .containsExactly(0, 0, 1, 1, 1, 2, 2, 3, 3, 3);
    }

    @Test
    void whatIsBeyondOrTooShortHasALaneToo() {
        assertThat(callLanes.slice(row(0xffff))).isEqualTo(3);
        assertThat(callLanes.slice(Bytes.EMPTY)).isEqualTo(0);
        assertThat(callLanes.slice(Bytes.wrap(new byte[] {1}))).isEqualTo(3);
    }

    @Test
    void claimHasALaneOfItsOwn() {
        int claim = callLanes.of(Table.META, row(0));

        assertThat(claim).isNotEqualTo(callLanes.of(Table.META, row(1))).isNotEqualTo(callLanes.of(Table.LOG, row(0)));
    }

    @Test
    void recordsAndAllElseOfASliceGoApartAndTablesOfItTogether() {
        assertThat(callLanes.of(Table.META, row(5))).isNotEqualTo(callLanes.of(Table.LOG, row(5)));
        assertThat(callLanes.of(Table.TASKS, row(5)))
                .isEqualTo(callLanes.of(Table.DELAYED, row(6)))
                .isEqualTo(callLanes.of(Table.LOG, row(6)));
    }

    @Test
    void lanesAreCountedFromZero() {
        assertThat(callLanes.of(Table.META, row(0))).isEqualTo(0);
        assertThat(callLanes.of(Table.LOG, row(9))).isEqualTo(callLanes.count() - 1);
    }

    @Test
    void manyRegionsShareLanes() {
        assertThat(CallLanes.of(256, 4)).isEqualTo(new CallLanes(256, 4));
        assertThat(CallLanes.of(256, 200)).isEqualTo(new CallLanes(256, 16));
    }

    private static Bytes row(int partition) {
        return Bytes.wrap(new byte[] {(byte) (partition >> Byte.SIZE), (byte) partition, 'x'});
    }
}
