package io.taskmaster.server.partition.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the ticks of a partition. */
final class TickedLoopTest {

    private final TurnedLoop shared = new TurnedLoop();
    private final List<String> events = new ArrayList<>();
    private final List<Throwable> broken = new ArrayList<>();
    private final TickedLoop loop = new TickedLoop(shared, () -> events.add("end"), broken::add);

    @Test
    void theEndOfATickFollowsEveryTask() {
        loop.execute(() -> events.add("a"));
        shared.tick();
        loop.schedule(10, () -> events.add("b"));
        shared.pass(10);
        shared.tick();
        loop.offload(() -> events.add("c"));
        shared.tick();
        loop.run(() -> events.add("d"));
        shared.tick();
        assertThat(events).containsExactly("a", "end", "b", "end", "c", "end", "d", "end");
    }

    @Test
    void tasksThatAreThereTogetherShareAnEnd() {
        loop.run(() -> events.add("a"));
        loop.run(() -> events.add("b"));
        shared.tick();
        assertThat(events).containsExactly("a", "b", "end");
    }

    @Test
    void noEndFollowsATaskWithoutTickNorTheEndItself() {
        loop.runWithoutTick(() -> events.add("a"));
        shared.tick();
        assertThat(events).containsExactly("a");
        loop.scheduleTick();
        shared.tick();
        assertThat(events).containsExactly("a", "end");
    }

    @Test
    void aCheckComesAWhileLaterAndOnce() {
        loop.recheckLater();
        loop.recheckLater();
        shared.tick();
        assertThat(events).isEmpty();
        shared.pass(1_000);
        shared.tick();
        assertThat(events).containsExactly("end");
    }

    @Test
    void whatATaskThrowsIsReportedAndTheLoopGoesOn() {
        boolean completed = loop.run(() -> {
            throw new IllegalStateException("broken");
        });
        assertThat(completed).isFalse();
        assertThat(broken).hasSize(1);
        loop.execute(() -> events.add("a"));
        shared.tick();
        assertThat(events).containsExactly("end", "a", "end");
    }

    @Test
    void noTickEndsAfterAStop() {
        loop.run(() -> events.add("a"));
        loop.stop();
        loop.execute(() -> events.add("b"));
        shared.tick();
        assertThat(events).containsExactly("a", "b");
    }

    @Test
    void timeDoesNotGoBack() {
        long now = loop.nowMillis();
        shared.jump(-1_000);
        assertThat(loop.nowMillis()).isEqualTo(now);
        assertThat(loop.lastNowMillis()).isEqualTo(now);
    }
}
