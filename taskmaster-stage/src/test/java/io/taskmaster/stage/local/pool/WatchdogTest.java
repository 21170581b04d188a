package io.taskmaster.stage.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.local.SomeWorker;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of the reports of workers that hold their threads for long. */
final class WatchdogTest {

    private final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    private final Watchdog watchdog = new Watchdog(2, time);
    private final SomeWorker worker = new SomeWorker(() -> {});

    private void pass(double intervals) {
        time.run(Watchdog.INTERVAL.multipliedBy(Math.round(intervals * 10)).dividedBy(10));
    }

    @Test
    void turnThatTakesLongIsToldOnceWithItsStack() {
        Watchdog.Watch watch = watchdog.begin(worker);
        pass(1.5);
        assertThat(worker.slow).isEmpty();
        pass(20);
        assertThat(worker.slow)
                .singleElement()
                .satisfies(where -> assertThat(where)
                        .extracting(StackTraceElement::getMethodName)
                        .contains("turnThatTakesLongIsToldOnceWithItsStack"));

        worker.turns++;
        pass(20);
        assertThat(worker.slow).as("the next turn").hasSize(2);
        watchdog.end(watch);
    }

    @Test
    void workerThatTakesManyTurnsIsNotTold() {
        Watchdog.Watch watch = watchdog.begin(worker);
        for (int i = 0; i < 100; i++) {
            pass(0.9);
            worker.turns++;
        }
        assertThat(worker.slow).isEmpty();
        watchdog.end(watch);
    }

    @Test
    void nobodyIsWatchedWhoHasNoThread() {
        watchdog.end(watchdog.begin(worker));
        pass(20);
        assertThat(worker.slow).isEmpty();
        assertThat(time.runUntil(() -> false, Watchdog.INTERVAL.multipliedBy(100)))
                .isFalse();
        Watchdog.Watch again = watchdog.begin(worker);
        pass(3);
        assertThat(worker.slow).hasSize(1);
        watchdog.end(again);
    }

    @Test
    void threadsBeyondThoseOfThePoolAreNotWatched() {
        assertThat(watchdog.begin(worker)).isNotNull();
        assertThat(watchdog.begin(new SomeWorker(() -> {}))).isNotNull();
        assertThat(watchdog.begin(new SomeWorker(() -> {}))).isNull();
    }
}
