package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.control.Range;
import io.taskmaster.stage.control.Sample;
import io.taskmaster.stage.steering.ControlLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Tests of the samples that controllers get of a durable stage, and of the effects of their decisions. */
final class ControlledWorkerTest extends OneStage {

    private final List<Sample> samples = new ArrayList<>();

    /** A controller that decides as the test says, after each sample. */
    private final class Told implements Controller {

        private final int setting;
        private final int max;
        private final ToIntFunction<Sample> next;

        Told(int setting, int max, ToIntFunction<Sample> next) {
            this.setting = setting;
            this.max = max;
            this.next = next;
        }

        @Override
        public int setting() {
            return setting;
        }

        @Override
        public Range range() {
            return new Range(1, max);
        }

        @Override
        public Controller after(Sample sample) {
            samples.add(sample);
            return new Told(next.applyAsInt(sample), max, next);
        }
    }

    private Controller always(int setting) {
        return new Told(setting, setting, _ -> setting);
    }

    private Controller first(int setting, int then) {
        return new Told(setting, Math.max(setting, then), _ -> then);
    }

    private void enqueue(int count) {
        for (int i = 0; i < count; i++) {
            tasks.enqueue("in", "p%03d".formatted(i), "data");
        }
    }

    private long leased() {
        return tasks.pids("in").stream()
                .filter(pid -> tasks.isLeased("in", pid))
                .count();
    }

    @Test
    void aControllerSeesWhatWasDoneAndHowLongItTookAPlace() {
        enqueue(2);
        start(stage -> stage.handler(_ -> Outcome.done()).concurrency(always(2)));
        time.run(ControlLoop.INTERVAL.multipliedBy(20));
        assertThat(samples).hasSize(20);
        assertThat(samples.getLast())
                .isEqualTo(new Sample(
                        ControlLoop.INTERVAL.toNanos(), 0, 0, samples.getLast().waiting(), 0, 2));

        runHandlers();
        Sample all = samples.stream().reduce(Sample::then).orElseThrow();
        assertThat(all.done()).isEqualTo(2);
        // Both began after two short delays, ended 3 s after the start, and were committed after two more delays.
        assertThat(Duration.ofNanos(all.busyNanos())).isBetween(Duration.ofMillis(5_950), Duration.ofMillis(6_020));
        assertThat(all.atWork()).isZero();
    }

    @Test
    void whereTasksAreLeasedAheadAPlaceIsBusyOnlyWithTheHandler() {
        enqueue(1);
        start(stage -> stage.handler(_ -> Outcome.done()).concurrency(always(1)).prefetch(1));
        assertThat(time.runUntil(() -> !handlers.isEmpty(), SHORT)).isTrue();
        time.run(Duration.ofMillis(250));
        handlers.remove().run();
        time.run(SHORT);
        Sample all = samples.stream().reduce(Sample::then).orElseThrow();
        assertThat(all.done()).isEqualTo(1);
        assertThat(all.busyNanos()).isEqualTo(Duration.ofMillis(250).toNanos());
    }

    @Test
    void tasksThatWereLeasedAheadWaitAndSoDoesWhatTheServerHas() {
        enqueue(100);
        start(stage -> stage.handler(_ -> Outcome.done()).concurrency(always(1)).prefetch(4));
        time.run(SHORT);
        assertThat(handlers).hasSize(1);
        assertThat(samples.getLast().waiting()).isEqualTo(4 + 1);
    }

    @Test
    void nobodyWaitsWhereACallWaitsForTasks() {
        enqueue(3);
        start(stage -> stage.handler(_ -> Outcome.done()).concurrency(always(4)));
        time.run(SHORT);
        assertThat(handlers).hasSize(3);
        assertThat(samples.getLast().waiting()).isZero();
    }

    @Test
    void nobodyWaitsForAStageThatIsPaused() {
        enqueue(100);
        Worker worker = start(stage -> stage.handler(_ -> Outcome.done()).concurrency(always(1)));
        time.run(SHORT);
        assertThat(samples.getLast().waiting()).isEqualTo(1);
        worker.pause("in");
        runHandlers();
        assertThat(samples.getLast().waiting()).isZero();
        assertThat(tasks.pids("in")).hasSize(99);
    }

    @Test
    void whatAnOverloadedServerRefusesIsTurnedAway() {
        tasks.failurePercent(100);
        start(stage -> stage.handler(_ -> Outcome.done()).concurrency(always(1)));
        time.run(Duration.ofSeconds(30));
        assertThat(samples.stream().mapToLong(Sample::turnedAway).sum()).isPositive();
    }

    @Test
    void moreIsLeasedWhenTheControllerSaysMore() {
        enqueue(10);
        Worker worker = start(stage -> stage.handler(_ -> Outcome.done()).concurrency(first(1, 5)));
        time.run(ControlLoop.INTERVAL.minusMillis(1));
        assertThat(handlers).hasSize(1);
        assertThat(status(worker).maxRunning()).isEqualTo(1);

        time.run(SHORT);
        assertThat(handlers).hasSize(5);
        assertThat(leased()).isEqualTo(5);
        assertThat(status(worker).maxRunning()).isEqualTo(5);
    }

    @Test
    void nothingIsLeasedUntilThereIsRoomUnderALimitThatSank() {
        enqueue(20);
        Worker worker = start(stage -> stage.handler(_ -> Outcome.done()).concurrency(first(5, 2)));
        time.run(SHORT);
        assertThat(handlers).hasSize(5);
        assertThat(status(worker).maxRunning()).isEqualTo(2);

        for (int left = 4; left >= 2; left--) {
            handlers.remove().run();
            time.run(SHORT);
            assertThat(leased()).isEqualTo(left);
        }
        for (int i = 0; i < 10; i++) {
            handlers.remove().run();
            time.run(SHORT);
            assertThat(leased()).isEqualTo(2);
            assertThat(handlers).hasSize(2);
        }
    }

    @Test
    void aCallThatIsUnderWayKeepsThePermitsThatItWasMadeWith() {
        Worker worker = start(stage -> stage.handler(_ -> Outcome.done()).concurrency(first(5, 2)));
        time.run(SHORT);
        enqueue(20);
        time.run(SHORT);
        assertThat(leased()).isEqualTo(5);
        assertThat(handlers).hasSize(2);
        assertThat(status(worker).ready()).isEqualTo(3);
        for (int i = 0; i < 20; i++) {
            handlers.remove().run();
            time.run(SHORT);
            assertThat(handlers).hasSizeLessThanOrEqualTo(2);
            assertThat(leased()).isLessThanOrEqualTo(Math.max(2, 4 - i));
        }
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(status(worker).done()).isEqualTo(20);
    }

    @Test
    void batchesAreAsLargeAsTheControllerSays() {
        enqueue(100);
        List<Integer> batches = new ArrayList<>();
        Worker worker = start(stage -> stage.batchHandler(first(4, 2), (batch, finish) -> {
                    batches.add(batch.size());
                    batch.forEach(task -> finish.with(task, Outcome.done()));
                })
                .concurrency(1)
                .prefetch(10));
        time.run(Duration.ofMillis(50));
        handlers.remove().run();
        time.run(SHORT);
        // This one began under the previous limit.
        handlers.remove().run();
        time.run(SHORT);
        handlers.remove().run();
        assertThat(batches).containsExactly(4, 4, 2);
        assertThat(status(worker).maxBatch()).isEqualTo(2);
        time.run(SHORT);
        assertThat(leased()).isEqualTo(2 + 10);
    }

    @Test
    void beyondItsRangeAControllerIsNotFollowed() {
        enqueue(10);
        Worker worker = start(stage ->
                stage.handler(_ -> Outcome.done()).concurrency(new Told(1, 3, _ -> samples.size() < 2 ? 3 : 9)));
        time.run(SHORT);
        assertThat(status(worker).maxRunning()).isEqualTo(3);
        assertThat(samples).hasSize(2);
        assertThat(leased()).isEqualTo(3);
    }

    @Test
    void aDrainGivesBackWhatHasNoPlaceAnyMoreAndEndsTheSamples() {
        enqueue(5);
        Worker worker = start(stage ->
                stage.handler(_ -> Outcome.done()).concurrency(first(5, 1)).prefetch(5));
        time.run(Duration.ofMillis(50));
        assertThat(handlers).hasSize(5);
        time.run(SHORT);
        assertThat(status(worker).maxRunning()).isEqualTo(1);
        CompletableFuture<Void> drained = worker.drain(Duration.ofMinutes(1));
        time.run(SHORT);
        int seenSamples = samples.size();
        runHandlers();
        assertThat(drained).isCompleted();
        assertThat(tasks.pids("in")).isEmpty();
        time.run(SHORT);
        assertThat(samples).hasSize(seenSamples);
    }

    @Test
    void leasesThatAreLostWhileALimitSinksFreeThePermitsThatAreLeft() {
        enqueue(8);
        Worker worker = start(stage ->
                stage.handler(_ -> Outcome.done()).concurrency(first(4, 2)).lease(LEASE));
        time.run(SHORT);
        assertThat(handlers).hasSize(4);
        tasks.steal("in", "p000");
        tasks.steal("in", "p001");
        tasks.steal("in", "p002");
        time.run(LEASE);
        assertThat(status(worker).lost()).isEqualTo(3);
        // Those handlers were interrupted, and keep their places until they return.
        assertThat(status(worker).running()).isEqualTo(4);
        for (int i = 0; i < 20; i++) {
            runHandlers();
        }
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(status(worker).running()).isZero();
        assertThat(status(worker).abandoned()).isZero();
    }
}
