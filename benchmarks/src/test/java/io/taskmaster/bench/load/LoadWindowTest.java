package io.taskmaster.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadWindowTest {

    private static final long ORIGIN = Long.parseLong("9223372036854775800");

    private final LoadWindow loadWindow =
            new LoadWindow(ORIGIN, new Timing(Duration.ofNanos(10), Duration.ofNanos(100)));

    @Test
    void measuresBetweenWarmUpAndEndEvenWhenTheClockWrapsAround() {
        assertThat(loadWindow.measures(ORIGIN + 9)).isFalse();
        assertThat(loadWindow.measures(ORIGIN + 10)).isTrue();
        assertThat(loadWindow.measures(ORIGIN + 109)).isTrue();
        assertThat(loadWindow.measures(ORIGIN + 110)).isFalse();
        assertThat(loadWindow.isEnded(ORIGIN + 110)).isTrue();
    }

    @Test
    void canOnlyBeEndedEarlier() {
        loadWindow.end(ORIGIN + 60);
        loadWindow.end(ORIGIN + 90);
        assertThat(loadWindow.length()).isEqualTo(Duration.ofNanos(50));
        assertThat(loadWindow.measures(ORIGIN + 60)).isFalse();
    }

    @Test
    void endedDuringWarmUpItHasNoLength() {
        loadWindow.end(ORIGIN + 5);
        assertThat(loadWindow.length()).isZero();
        assertThat(loadWindow.measures(ORIGIN + 20)).isFalse();
    }
}
