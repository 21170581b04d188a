package io.taskmaster.testkit.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class VirtualTimeTest {

    private final VirtualTime time = new VirtualTime(new SplittableRandom(1));
    private final TimeDriver timeDriver = new TimeDriver(time);
    private final List<String> seen = new ArrayList<>();

    private void say(String what) {
        seen.add(what + " at " + time.nanoTime());
    }

    @Test
    void thingsHappenInTheOrderOfTime() {
        time.schedule(() -> say("c"), 30);
        time.schedule(() -> say("a"), 10);
        time.schedule(() -> say("b"), 20);
        timeDriver.pass(Duration.ofNanos(20));
        assertThat(seen).containsExactly("a at 10", "b at 20");
        assertThat(time.nanoTime()).isEqualTo(20);
        timeDriver.pass(Duration.ofNanos(100));
        assertThat(seen).endsWith("c at 30");
        assertThat(time.now()).isEqualTo(VirtualTime.START.plusNanos(120));
    }

    @Test
    void whatIsToHappenAtOneTimeHappensInAnOrderOfTheSeed() {
        Set<List<String>> orders = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            orders.add(order(seed));
            assertThat(order(seed)).isEqualTo(order(seed));
        }
        assertThat(orders).hasSize(6);
    }

    private static List<String> order(long seed) {
        VirtualTime time = new VirtualTime(new SplittableRandom(seed));
        List<String> order = new ArrayList<>();
        List.of("a", "b", "c").forEach(each -> time.soon(() -> order.add(each)));
        new TimeDriver(time).pass(Duration.ZERO);
        return order;
    }

    @Test
    void alarmsOfTheDeadDoNotRing() {
        AtomicBoolean alive = new AtomicBoolean(true);
        time.of(alive::get).schedule(() -> say("first"), 10);
        time.of(alive::get).schedule(() -> say("second"), 20);
        time.executor(alive::get, () -> 20).execute(() -> say("third"));
        time.schedule(() -> alive.set(false), 15);
        timeDriver.pass(Duration.ofNanos(100));
        assertThat(seen).containsExactly("first at 10");
    }

    @Test
    void timeIsNotMovedByWhatHappensInIt() {
        time.soon(() -> time.step(100));
        assertThatThrownBy(() -> timeDriver.pass(Duration.ofNanos(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in a handler or callback");
        timeDriver.pass(Duration.ofNanos(1));
    }

    @Test
    void anotherThreadEndsIt() throws InterruptedException {
        Thread other = Thread.ofPlatform().name("other").start(() -> {
            try {
                time.soon(() -> say("never"));
            } catch (IllegalStateException refused) {
                seen.add("refused");
            }
        });
        other.join();
        assertThat(seen).containsExactly("refused");
        assertThatThrownBy(() -> timeDriver.pass(Duration.ofNanos(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("other");
    }

    @Test
    void aWaitEndsWithTimeOrSteps() {
        Runnable[] again = new Runnable[1];
        again[0] = () -> time.schedule(again[0], 10);
        time.soon(again[0]);
        assertThat(timeDriver.until(() -> false, Duration.ofNanos(95), 1_000)).isFalse();
        assertThat(time.nanoTime()).isEqualTo(95);
        assertThat(time.steps()).isEqualTo(10);
        assertThat(timeDriver.until(() -> false, Duration.ofDays(1), 5)).isFalse();
        assertThat(time.steps()).isEqualTo(15);
        assertThat(timeDriver.until(() -> time.steps() == 17, Duration.ofDays(1), 5))
                .isTrue();
    }

    @Test
    void delaysOfCenturiesAreTimesToo() {
        time.schedule(() -> say("never"), Long.MAX_VALUE);
        timeDriver.pass(Duration.ofDays(1));
        time.schedule(() -> say("never"), Long.MAX_VALUE);
        timeDriver.pass(Duration.ofDays(1));
        assertThat(seen).isEmpty();
    }
}
