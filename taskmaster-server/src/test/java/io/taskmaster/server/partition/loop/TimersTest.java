package io.taskmaster.server.partition.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.time.Deadlines;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class TimersTest {

    private static final long MILLI = 1_000_000;

    private final Timers timers = new Timers();
    private final List<String> ran = new ArrayList<>();

    @Test
    void timersGoOffInTheirOrderAndNotBeforeTheirTime() {
        add(0, 2, "second");
        add(0, 1, "first");
        add(0, 2, "third");
        assertThat(run(MILLI - 1)).isEmpty();
        assertThat(run(MILLI)).containsExactly("first");
        assertThat(timers.nanosUntilNext(MILLI)).isEqualTo(MILLI);
        assertThat(run(2 * MILLI)).containsExactly("second", "third");
        assertThat(timers.nanosUntilNext(2 * MILLI)).isEqualTo(Deadlines.FAR_NANOS);
    }

    /**
     * Verifies delays of more than 292 years, as of a task that is enqueued for the year 9999: they overflow a long of
     * nanoseconds.
     */
    @Test
    void noDelayIsSoLongThatItsTimerIsDueAtOnce() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            long now = random.nextLong();
            long delayMillis = Math.max(2, random.nextLong(Long.MAX_VALUE) >> random.nextInt(Long.SIZE - 1));
            Timers own = new Timers();
            own.add(now, 1, () -> {});
            own.add(now, delayMillis, () -> {});
            assertThat(own.takeDue(now)).as("of %d ms", delayMillis).isNull();
            assertThat(own.takeDue(now + MILLI)).isNotNull();
            assertThat(own.takeDue(now + MILLI)).as("of %d ms", delayMillis).isNull();
            assertThat(own.nanosUntilNext(now + MILLI)).isPositive();
        }
    }

    private void add(long nowNanos, long delayMillis, String name) {
        timers.add(nowNanos, delayMillis, () -> ran.add(name));
    }

    private List<String> run(long nowNanos) {
        ran.clear();
        for (Runnable task = timers.takeDue(nowNanos); task != null; task = timers.takeDue(nowNanos)) {
            task.run();
        }
        return List.copyOf(ran);
    }
}
