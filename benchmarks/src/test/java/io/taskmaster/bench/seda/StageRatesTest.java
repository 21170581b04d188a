package io.taskmaster.bench.seda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StageRatesTest {

    @Test
    void throughputIsTheMedianOfItsRuns() {
        StageRates stageRates = new StageRates();
        List.of(100.0, 900.0, 110.0).forEach(rate -> stageRates.add(64, rate));
        List.of(90.0, 100.0).forEach(rate -> stageRates.add(8, rate));
        assertThat(stageRates.connections()).containsExactly(8, 64);
        assertThat(stageRates.perSecond(64)).isEqualTo(110);
        assertThat(stageRates.perSecond(8)).isEqualTo(95);
    }

    @Test
    void ratiosAreOfRunsOfTheSameRound() {
        StageRates stageRates = new StageRates();
        // The machine was half as fast in the second round.
        List.of(100.0, 50.0, 100.0).forEach(rate -> stageRates.add(64, rate));
        List.of(90.0, 45.0, 95.0).forEach(rate -> stageRates.add(8_192, rate));
        assertThat(stageRates.ofBest(64)).isEqualTo(1);
        assertThat(stageRates.ofBest(8_192)).isCloseTo(0.9, within(1e-9));
        assertThat(StageRates.medianRatio(List.of(1.0, 3.0), List.of(2.0, 4.0))).isEqualTo(0.625);
    }

    @Test
    void barsHaveTheirNames() {
        assertThat(Plot.bars("Title", "connections", List.of("64", "8,192"), "things", List.of(1.6, 2.0)))
                .contains("x-axis \"connections\" [\"64\", \"8,192\"]")
                .contains("y-axis \"things\" 0 --> 2")
                .contains("bar [2, 2]");
    }
}
