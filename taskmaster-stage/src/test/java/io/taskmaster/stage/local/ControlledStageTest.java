package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.control.Sample;
import io.taskmaster.stage.steering.ControlLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Tests of the samples that controllers of a stage receive, and of the effect of their settings. */
final class ControlledStageTest extends SomeStages {

    private static final Duration HANDLING = Duration.ofMillis(5);

    private final List<Sample> samples = new ArrayList<>();

    /** A controller whose next setting is a function of the test. */
    private final class Told implements Controller {

        private final int setting;
        private final ToIntFunction<Sample> next;

        Told(int setting, ToIntFunction<Sample> next) {
            this.setting = setting;
            this.next = next;
        }

        @Override
        public int setting() {
            return setting;
        }

        @Override
        public Controller after(Sample sample) {
            samples.add(sample);
            return new Told(next.applyAsInt(sample), next);
        }
    }

    /** Handles an event, which takes {@link #HANDLING}. */
    private void handle(String event) {
        world.time.run(HANDLING);
        handled.add(event);
    }

    private static void offer(LocalStage<String> stage, String... events) {
        for (String event : events) {
            assertThat(stage.offer(event).isTaken()).isTrue();
        }
    }

    @Test
    void aControllerSeesWhatWasDoneAndWhatWaits() {
        LocalStage<String> stage = stages.add(
                "s", s -> s.handler(this::handle).boundary(100, boundary -> boundary.concurrency(new Told(1, _ -> 1))));
        offer(stage, "a", "b", "c");
        world.work();
        offer(stage, "d");
        world.pass(ControlLoop.INTERVAL.minus(HANDLING.multipliedBy(3)));

        assertThat(samples)
                .containsExactly(new Sample(
                        ControlLoop.INTERVAL.toNanos(),
                        3,
                        HANDLING.multipliedBy(3).toNanos(),
                        1,
                        0,
                        1));
        world.work();
        world.pass(ControlLoop.INTERVAL);
        assertThat(samples.getLast().done()).isEqualTo(1);
        assertThat(samples.getLast().waiting()).isZero();
    }

    @Test
    void workersComeWhenTheControllerSaysMore() {
        LocalStage<String> stage = stages.add(
                "s", s -> s.handler(handled::add).boundary(100, boundary -> boundary.concurrency(new Told(1, _ -> 3))));
        offer(stage, "a", "b", "c", "d");
        assertThat(world.workers).hasSize(1);
        assertThat(stage.status().maxWorkers()).isEqualTo(1);

        world.pass(ControlLoop.INTERVAL);
        assertThat(world.workers).hasSize(3);
        assertThat(stage.status().maxWorkers()).isEqualTo(3);
        world.work();
        assertThat(handled).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @Test
    void batchesAreAsLargeAsTheControllerSays() {
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.batchHandler(new Told(3, _ -> 2), (events, _) -> handled.add(String.join("+", events)))
                        .boundary(100, boundary -> boundary));
        offer(stage, "a", "b", "c", "d");
        world.work();
        world.pass(ControlLoop.INTERVAL);
        assertThat(stage.status().maxBatch()).isEqualTo(2);
        offer(stage, "e", "f", "g");
        world.work();

        assertThat(handled).containsExactly("a+b+c", "d", "e+f", "g");
        assertThat(samples.getFirst().done()).isEqualTo(4);
    }

    @Test
    void whereAControllerDecidesNobodyElseDoes() {
        LocalStage<String> stage = bounded(10, boundary -> boundary.concurrency(Controller.threadPool(2, 4)));
        assertThat(stage.status().maxWorkers()).isEqualTo(2);
        assertThatThrownBy(() -> stage.concurrency(3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a controller sets its concurrency");
    }

    @Test
    void aControllerThatFailsLeavesTheSettingAsItIs() {
        LocalStage<String> stage =
                bounded(10, boundary -> boundary.concurrency(new Told(2, _ -> samples.size() < 2 ? 4 : 0)));
        world.pass(ControlLoop.INTERVAL.multipliedBy(5));
        assertThat(stage.status().maxWorkers()).isEqualTo(4);
        assertThat(samples).hasSize(2);
    }

    @Test
    void aControllerThatFailsStopsNoOther() {
        Controller failing = new Told(2, _ -> {
            throw new IllegalStateException("broken");
        });
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.batchHandler(failing, (_, _) -> {})
                        .boundary(10, boundary -> boundary.concurrency(new Told(1, _ -> samples.size()))));
        world.pass(ControlLoop.INTERVAL.multipliedBy(4));
        assertThat(stage.status().maxWorkers()).isGreaterThan(3);
        assertThat(stage.status().maxBatch()).isEqualTo(2);
    }

    @Test
    void aStageThatIsRefusedIsNotSampled() {
        LocalStage<String> _ = bounded(10, boundary -> boundary);
        assertThatThrownBy(() -> bounded(10, boundary -> boundary.concurrency(new Told(1, _ -> 1))))
                .isInstanceOf(IllegalArgumentException.class);
        world.pass(ControlLoop.INTERVAL.multipliedBy(5));
        assertThat(samples).isEmpty();
    }

    @Test
    void aControllerSeesWhatIsTurnedAway() {
        LocalStage<String> stage = bounded(1, boundary -> boundary.concurrency(new Told(1, _ -> 1)));
        offer(stage, "a");
        for (int i = 0; i < 3; i++) {
            assertThat(stage.offer("b").isTaken()).isFalse();
        }
        world.pass(ControlLoop.INTERVAL);
        assertThat(samples).last().extracting(Sample::turnedAway).isEqualTo(3L);
    }

    @Test
    void nobodyWaitsForAStageThatIsPaused() {
        LocalStage<String> stage = bounded(1, boundary -> boundary.concurrency(new Told(1, _ -> 3)));
        stage.pause();
        offer(stage, "a");
        assertThat(stage.offer("b").isTaken()).isFalse();
        world.pass(ControlLoop.INTERVAL);
        assertThat(samples).containsExactly(new Sample(ControlLoop.INTERVAL.toNanos(), 0, 0, 0, 0, 0));
        // The setting of the controller comes into force when the pause is over.
        assertThat(stage.status().maxWorkers()).isEqualTo(3);
        assertThat(world.workers).isEmpty();

        stage.resume();
        assertThat(stage.offer("b").isTaken()).isFalse();
        world.pass(ControlLoop.INTERVAL);
        assertThat(samples.getLast().waiting()).isEqualTo(1);
        assertThat(samples.getLast().turnedAway()).isEqualTo(1);
        assertThat(samples.getLast().atWork()).isPositive();
    }

    @Test
    void whatNobodyWaitsForIsNoAnswer() {
        List<Duration> reported = new ArrayList<>();
        boolean[] cancelled = {true};
        Answerable event = new Answerable() {
            @Override
            public void dropped(String reason) {
                cancelled[0] = false;
            }

            @Override
            public boolean isCancelled() {
                return cancelled[0];
            }
        };
        LocalStage<Answerable> stage = stages.add(
                "s",
                s -> s.handler(_ -> world.time.run(HANDLING))
                        .timed((_, serviceNanos) -> reported.add(Duration.ofNanos(serviceNanos)))
                        .boundary(10, boundary -> boundary));
        assertThat(stage.offer(event).isTaken()).isTrue();
        assertThat(stage.offer(event).isTaken()).isTrue();
        world.work();
        assertThat(reported).containsExactly(HANDLING);
    }

    @Test
    void aStageThatIsGoneIsNotSampled() {
        LocalStage<String> _ = bounded(10, boundary -> boundary.concurrency(new Told(1, _ -> 1)));
        world.pass(ControlLoop.INTERVAL);
        assertThat(stages.remove("s", SHORT)).isCompleted();
        world.pass(ControlLoop.INTERVAL.multipliedBy(5));
        assertThat(samples).hasSize(1);
    }

    @Test
    void whatWaitsLongGetsMoreWorkers() {
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.handler(this::handle)
                        .boundary(1_000, boundary -> boundary.concurrency(Controller.threadPool(1, 4))));
        for (int i = 0; i < 1_000; i++) {
            offer(stage, "event");
        }
        world.pass(ControlLoop.INTERVAL.multipliedBy(100));
        assertThat(stage.status().maxWorkers()).isEqualTo(4);
    }

    @Test
    void whoWantsToKnowHearsHowLongEventsTook() {
        List<Duration> reported = new ArrayList<>();
        EventTimes times = (waitNanos, serviceNanos) -> {
            reported.add(Duration.ofNanos(waitNanos));
            reported.add(Duration.ofNanos(serviceNanos));
        };
        LocalStage<String> stage =
                stages.add("s", s -> s.handler(this::handle).timed(times).boundary(10, boundary -> boundary));
        offer(stage, "a", "b");
        world.pass(SHORT);
        world.work();
        assertThat(reported).containsExactly(SHORT, HANDLING, SHORT.plus(HANDLING), HANDLING);

        reported.clear();
        offer(stages.add("call", s -> s.handler(this::handle).timed(times)), "c");
        assertThat(reported).containsExactly(Duration.ZERO, HANDLING);
    }
}
