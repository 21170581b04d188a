package io.taskmaster.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Rates over about a minute. */
final class RatesTest {

    private final Rates rates = new Rates();

    @Test
    void aSteadyRateIsFoundAfterSomeMinutes() {
        for (long now = 1_000_000; now < 1_600_000; now += 10) {
            rates.enqueued(now);
        }
        assertThat(rates.enqueuesPerSecond(1_600_000)).isCloseTo(100, within(1.0));
        assertThat(rates.leasesPerSecond(1_600_000)).isZero();
    }

    @Test
    void whatHappenedFadesWithinMinutes() {
        for (int i = 0; i < 60_000; i++) {
            rates.leased(1_000_000);
        }
        assertThat(rates.leasesPerSecond(1_000_000)).isCloseTo(1_000, within(1.0));
        assertThat(rates.leasesPerSecond(1_060_000)).isCloseTo(368, within(1.0));
        assertThat(rates.leasesPerSecond(1_600_000)).isLessThan(.1);
    }

    @Test
    void ofSeveralQueuesTheyAddUp() {
        Rates other = new Rates();
        Rates both = new Rates();
        for (int i = 0; i < 60_000; i++) {
            rates.enqueued(1_000_000);
            other.enqueued(1_060_000);
        }
        rates.finished(10);
        other.finished(20);
        both.add(other, 1_060_000);
        both.add(rates, 1_060_000);

        assertThat(both.enqueuesPerSecond(1_060_000)).isCloseTo(1_368, within(1.0));
        assertThat(both.meanLeaseMillis())
                .hasValueSatisfying(mean -> assertThat(mean).isCloseTo(15, within(1e-9)));
        assertThat(rates.enqueuesPerSecond(1_000_000)).as("left as it was").isCloseTo(1_000, within(1.0));
    }

    @Test
    void aClockThatGoesBackDoesNoHarm() {
        rates.dequeued(1_000_000);
        rates.dequeued(900_000);
        assertThat(rates.dequeuesPerSecond(800_000)).isCloseTo(2 / 60.0, within(1e-9));
    }
}
