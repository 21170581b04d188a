package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Flight;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.worker.StageStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of durable stages whose limits are set by controllers, in virtual time. */
final class ControlledStagesInKitTest {

    private static final TaskQueue<String> IN = TaskQueue.of("in", Codec.utf8());
    private static final TaskQueue<String> OUT = TaskQueue.of("out", Codec.utf8());
    private static final Duration SERVICE = Duration.ofMillis(20);
    private static final Duration TICK = Duration.ofMillis(10);

    private long enqueued;

    /** Sets a handler that takes 20 ms, and hands everything off. */
    private static StageBuilder<String> slow(StageBuilder<String> stage, Timer timer) {
        return stage.asyncHandler(flight -> timer.schedule(() -> end(flight), SERVICE.toNanos()))
                .to(OUT);
    }

    private static void end(Flight<String> flight) {
        flight.finish(Outcome.handOff(OUT.task(flight.payload())));
    }

    private static Pipeline controlled(Timer timer, Controller workers) {
        return Pipeline.in("g")
                .stage(IN, stage -> slow(stage, timer).concurrency(workers))
                .sinks(OUT)
                .build();
    }

    private static PipelineKitBuilder kit(int min, int max) {
        return PipelineKit.running((_, timer) -> controlled(timer, Controller.threadPool(min, max)));
    }

    private void enqueue(PipelineKit kit, int tasks) {
        kit.enqueue(IntStream.range(0, tasks)
                .mapToObj(_ -> IN.task("data").at("%06d".formatted(enqueued++)))
                .toArray(NewTask<?>[]::new));
    }

    /** Enqueues tasks evenly at so many a second for a while. Returns the status of the stage, ten times a second. */
    private List<StageStatus> load(PipelineKit kit, int perSecond, Duration span) {
        List<StageStatus> seen = new ArrayList<>();
        double due = 0;
        for (long tick = 1; tick <= span.dividedBy(TICK); tick++) {
            due += perSecond * TICK.toMillis() / 1000.0;
            enqueue(kit, (int) due);
            due -= (int) due;
            kit.advance(TICK);
            if (tick % 10 == 0) {
                seen.add(kit.status(kit.worker()).getFirst());
            }
        }
        return seen;
    }

    private static double meanLimit(List<StageStatus> seen) {
        return seen.stream().mapToInt(StageStatus::maxRunning).average().orElseThrow();
    }

    @Test
    void aStageThatNeedsThreeHandlersFindsThem() {
        try (PipelineKit kit = kit(1, 64).start()) {
            load(kit, 120, Duration.ofSeconds(20));
            List<StageStatus> settled = load(kit, 120, Duration.ofSeconds(20));
            assertThat(meanLimit(settled)).isBetween(2.7, 4.0);
            assertThat(settled.getLast().done()).isGreaterThan(40 * 120 - 60);
            assertThat(kit.queue(IN).tasks()).hasSizeLessThan(30);
        }
    }

    @Test
    void itShrinksWhenThereIsLessToDo() {
        try (PipelineKit kit = kit(1, 64).start()) {
            List<StageStatus> busy = load(kit, 500, Duration.ofSeconds(20));
            assertThat(busy.getLast().maxRunning()).isGreaterThan(9);
            List<StageStatus> quiet = load(kit, 20, Duration.ofSeconds(40));
            assertThat(quiet.getLast().maxRunning()).isLessThan(3);
            kit.advance(Duration.ofSeconds(10));
            assertThat(kit.status(kit.worker()).getFirst().maxRunning()).isEqualTo(1);
            assertThat(kit.queue(IN)).isEmpty();
        }
    }

    @Test
    void neverMoreIsInHandThanTheLimit() {
        try (PipelineKit kit = kit(1, 16).start()) {
            enqueue(kit, 3_000);
            int before = 0;
            for (int tick = 0; tick < 2_000 && !kit.queue(IN).tasks().isEmpty(); tick++) {
                kit.advance(TICK);
                int limit = kit.status(kit.worker()).getFirst().maxRunning();
                int leased = kit.queue(IN).leased().size();
                // Above a limit that has just been lowered, no task is added to those in flight.
                assertThat(leased).isLessThanOrEqualTo(Math.max(limit, before));
                before = leased;
            }
            kit.runUntilIdle();
            assertThat(kit.status(kit.worker()).getFirst().maxRunning()).isGreaterThan(8);
            assertThat(kit).handedOffOnce(IN);
        }
    }

    @Test
    void theGradientFindsWhatABottleneckTakes() {
        // A bottleneck behind the handlers processes one call at a time, in 5 ms.
        long[] free = {0};
        try (PipelineKit kit = PipelineKit.running((_, timer) -> Pipeline.in("g")
                        .stage(
                                IN,
                                stage -> stage.asyncHandler(flight -> {
                                            long now = timer.nanoTime();
                                            free[0] = Math.max(now, free[0])
                                                    + Duration.ofMillis(5).toNanos();
                                            timer.schedule(() -> end(flight), free[0] - now);
                                        })
                                        .to(OUT)
                                        .prefetch(10)
                                        .concurrency(Controller.gradient(1, 200)))
                        .sinks(OUT)
                        .build())
                .start()) {
            List<StageStatus> seen = load(kit, 250, Duration.ofSeconds(40));
            assertThat(meanLimit(seen.subList(200, 400))).isLessThan(20);
            assertThat(seen.getLast().done()).isGreaterThan(35 * 200);
        }
    }

    /**
     * Returns a pipeline in which a batch of up to 16 takes 20 ms, and a larger one proportionally longer. It ends
     * later, since handlers take no virtual time.
     */
    private static Pipeline batches(Timer timer) {
        Pipeline written = Pipeline.in("g")
                .stage(
                        IN,
                        stage -> stage.batchHandler(Controller.batching(1, 128), (tasks, finish) -> {
                                    long nanos = SERVICE.toNanos() * Math.max(16, tasks.size()) / 16;
                                    timer.schedule(
                                            () -> tasks.forEach(task -> finish.with(task, Outcome.done())), nanos);
                                })
                                .concurrency(1)
                                .prefetch(256))
                .build();
        List<Stage<?>> later = written.stages().stream()
                .<Stage<?>>map(ControlledStagesInKitTest::finishingLater)
                .toList();
        return new Pipeline(written.group(), later, written.sinks());
    }

    private static <T> Stage<T> finishingLater(Stage<T> stage) {
        return new Stage<>(stage.input(), stage.handler(), true, stage.outputs(), stage.into(), stage.settings());
    }

    @Test
    void theSmallestBatchWithWhichAsMuchIsDoneIsFound() {
        try (PipelineKit kit = PipelineKit.running((_, timer) -> batches(timer)).start()) {
            assertThat(kit.status(kit.worker()).getFirst().maxBatch()).isEqualTo(128);
            List<StageStatus> seen = load(kit, 900, Duration.ofSeconds(30));
            List<StageStatus> settled = seen.subList(200, 300);
            assertThat(settled.stream()
                            .mapToInt(StageStatus::maxBatch)
                            .average()
                            .orElseThrow())
                    .isBetween(14.0, 32.0);
            assertThat(seen.getLast().done() - settled.getFirst().done()).isGreaterThan(7_500);

            kit.runUntilIdle();
            kit.advance(Duration.ofSeconds(5));
            assertThat(kit.status(kit.worker()).getFirst().maxBatch()).isEqualTo(128);
        }
    }

    @Test
    void nothingIsLostWhereAStageDrainsWhileItsLimitSinks() {
        Seeds.each(20, seed -> {
            try (PipelineKit kit = kit(1, 32).seed(seed).workers("one", "two").start()) {
                enqueue(kit, 1_000);
                kit.advance(Duration.ofSeconds(2 + seed % 3));
                kit.drain(kit.worker("one"), Duration.ofSeconds(5));
                kit.worker("one").start();
                kit.advance(Duration.ofMillis(1_100 * (seed % 5)));
                kit.drain(kit.worker("two"), Duration.ofSeconds(5));
                kit.worker("two").start();
                kit.runUntilIdle();
                assertThat(kit).handedOffOnce(IN);
                assertThat(kit.queue(OUT).tasks()).hasSize(1_000);
                enqueued = 0;
            }
        });
    }

    @Test
    void nothingIsLostWhereLeasesAreLostWhileTheLimitSinks() {
        try (PipelineKit kit = kit(1, 32).start()) {
            for (int nth = 1_900; nth < 2_000; nth += 7) {
                kit.faults().atAttempt(IN, nth).loseLease();
            }
            enqueue(kit, 2_000);
            kit.runUntilIdle();
            assertThat(kit.status(kit.worker()).getFirst().lost()).isPositive();
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit.status(kit.worker()).getFirst().maxRunning()).isEqualTo(1);
            enqueue(kit, 100);
            kit.runUntilIdle();
            assertThat(kit).handedOffOnce(IN);
            assertThat(kit.queue(OUT).tasks()).hasSize(2_100);
        }
    }

    @Test
    void theSameSeedMakesTheSameRun() {
        assertThat(limits()).isEqualTo(limits());
    }

    private List<Integer> limits() {
        enqueued = 0;
        try (PipelineKit kit = kit(1, 64).seed(7).trouble(5).start()) {
            return load(kit, 200, Duration.ofSeconds(10)).stream()
                    .map(StageStatus::maxRunning)
                    .toList();
        }
    }
}
