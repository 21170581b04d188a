package io.taskmaster.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenciesTest {

    @Test
    void mergingIsTheSameAsRecordingInOnePlace() {
        Latencies odd = new Latencies();
        Latencies even = new Latencies();
        Latencies all = new Latencies();
        for (int micros = 1; micros <= 100_000; micros++) {
            (micros % 2 == 0 ? even : odd).record(micros * 1000L);
            all.record(micros * 1000L);
        }
        odd.add(even);
        assertThat(odd.count()).isEqualTo(100_000);
        assertThat(odd.max()).isEqualTo(all.max());
        for (double percent : new double[] {50, 90, 99, 99.9}) {
            assertThat(odd.percentile(percent)).isEqualTo(all.percentile(percent));
            assertThat(odd.percentile(percent).toNanos() / 1e6).isCloseTo(percent, within(percent / 500));
        }
    }

    @Test
    void whatWasInTimeIsAShareOfAll() {
        Latencies latencies =
                Latencies.of(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(9));
        assertThat(latencies.shareWithin(Duration.ofMillis(3))).isCloseTo(.5, within(1e-9));
        assertThat(latencies.shareWithin(Duration.ofSeconds(1))).isCloseTo(1, within(1e-9));
        assertThat(latencies.shareWithin(Duration.ofNanos(10))).isZero();
    }

    @Test
    void whatIsTooLongCountsAsTheLongest() {
        Latencies latencies = Latencies.of(Duration.ofHours(5));
        assertThat(latencies.max().toMinutes()).isEqualTo(10);
    }

    @Test
    void nothingRecordedIsZero() {
        assertThat(new Latencies().percentile(99)).isZero();
        assertThat(new Latencies().max()).isZero();
    }

    @Test
    void lanesAddUp() {
        Tally first = new Tally();
        first.succeeded(1_000, 50, false);
        first.succeeded(2_000, 50, true);
        first.failed("UNAVAILABLE");
        Tally second = new Tally();
        second.succeeded(4_000, 50, true);
        second.failed("UNAVAILABLE");
        second.failed("check: nonsense");
        Measurement sum = Measurement.of(List.of(first, second), 3, Duration.ofSeconds(2));
        assertThat(sum.operations()).isEqualTo(2);
        assertThat(sum.operationsPerSecond()).isEqualTo(1.0);
        assertThat(sum.tasksPerSecond()).isEqualTo(50.0);
        assertThat(sum.totalTasks()).isEqualTo(150);
        assertThat(sum.errorCount()).isEqualTo(6);
        assertThat(sum.errors()).containsEntry("UNAVAILABLE", 2L).containsEntry("no reply", 3L);
    }
}
