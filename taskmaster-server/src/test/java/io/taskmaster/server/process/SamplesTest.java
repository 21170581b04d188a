package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SamplesTest {

    @Test
    void aPercentileIsTheSmallestThatSoManyDidNotExceed() {
        Samples samples = new Samples();
        for (int millis = 1000; millis > 0; millis--) {
            samples.add(millis * 1_000_000L);
        }

        assertThat(samples.percentileMillis(50)).isEqualTo(500);
        assertThat(samples.percentileMillis(99)).isEqualTo(990);
        assertThat(samples.percentileMillis(100)).isEqualTo(1000);
    }

    @Test
    void aSingleCallIsEveryPercentile() {
        Samples samples = new Samples();
        samples.add(3_000_000);

        assertThat(samples.percentileMillis(0)).isEqualTo(3);
        assertThat(samples.percentileMillis(99)).isEqualTo(3);
    }

    @Test
    void thoseOfSeveralCallersAreTakenTogether() {
        Samples all = new Samples();
        for (int caller = 1; caller <= 3; caller++) {
            Samples samples = new Samples();
            for (int call = 0; call < 1000; call++) {
                samples.add(caller * 1_000_000L);
            }
            all.addAll(samples);
        }

        assertThat(all.count()).isEqualTo(3000);
        assertThat(all.percentileMillis(33)).isEqualTo(1);
        assertThat(all.percentileMillis(50)).isEqualTo(2);
        assertThat(all.percentileMillis(99)).isEqualTo(3);
    }
}
