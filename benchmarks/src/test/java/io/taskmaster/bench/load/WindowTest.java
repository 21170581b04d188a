package io.taskmaster.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WindowTest {

    private static final long ORIGIN = Long.parseLong("9223372036854775800");

    private final Window window = new Window(ORIGIN, new Timing(Duration.ofNanos(10), Duration.ofNanos(100)));

    @Test
    void measuresBetweenWarmUpAndEndEvenWhenTheClockWrapsAround() {
        assertThat(window.measures(ORIGIN + 9)).isFalse();
        assertThat(window.measures(ORIGIN + 10)).isTrue();
        assertThat(window.measures(ORIGIN + 109)).isTrue();
        assertThat(window.measures(ORIGIN + 110)).isFalse();
        assertThat(window.isOver(ORIGIN + 110)).isTrue();
    }

    @Test
    void canOnlyBeEndedEarlier() {
        window.end(ORIGIN + 60);
        window.end(ORIGIN + 90);
        assertThat(window.length()).isEqualTo(Duration.ofNanos(50));
        assertThat(window.measures(ORIGIN + 60)).isFalse();
    }

    @Test
    void endedDuringWarmUpItHasNoLength() {
        window.end(ORIGIN + 5);
        assertThat(window.length()).isZero();
        assertThat(window.measures(ORIGIN + 20)).isFalse();
    }
}
