package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests of sets of cells of a task. */
final class CellSetTest {

    private static final CellSet DATA = CellSet.of(false, CellSet.DATA);
    private static final CellSet DELAYED = CellSet.of(true, CellSet.DATA + CellSet.RERUN);

    @Test
    void cellsOfBothPlacesAreToldApart() {
        assertThat(DATA.bits()).isEqualTo(1);
        assertThat(DELAYED.bits()).isEqualTo(0b101_000);
        assertThat(DATA.has(false, CellSet.DATA)).isTrue();
        assertThat(DATA.has(true, CellSet.DATA)).isFalse();
        assertThat(DELAYED.has(true, CellSet.RERUN)).isTrue();
        assertThat(DELAYED.has(true, CellSet.STATE)).isFalse();
        assertThat(DELAYED.has(false, CellSet.RERUN)).isFalse();
    }

    @Test
    void theyAddUpAndAreTakenAway() {
        CellSet both = DATA.and(DELAYED);
        assertThat(both.bits()).isEqualTo(0b101_001);
        assertThat(both.without(DATA)).isEqualTo(DELAYED);
        assertThat(both.without(both)).isEqualTo(CellSet.NONE);
        assertThat(DATA.without(DELAYED)).isEqualTo(DATA);
        assertThat(CellSet.ANY.and(both)).isEqualTo(CellSet.ANY);
        assertThat(CellSet.ANY.bits()).isEqualTo(0b111_111);
        assertThat(CellSet.NONE.isEmpty()).isTrue();
        assertThat(DATA.isEmpty()).isFalse();
    }
}
