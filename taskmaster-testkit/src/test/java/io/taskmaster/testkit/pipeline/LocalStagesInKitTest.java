package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static io.taskmaster.testkit.pipeline.Steps.LAST;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Flight;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.time.Alarms;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of tasks that end outside of their handlers. */
final class LocalStagesInKitTest {

    /**
     * Returns a pipeline whose downloads take 90 s, longer than a lease, and whose pictures are rendered behind a
     * boundary with a small capacity.
     */
    private static Pipeline crawl(LocalStages local, Timer timer) {
        LocalStage<Flight<String>> render = local.add(
                "render",
                stage -> stage.handler(flight -> flight.finish(Outcome.handOff(LAST.task(flight.payload() + "!"))))
                        .boundary(2, boundary -> boundary.concurrency(1)));
        return Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.asyncHandler(flight -> timer.schedule(
                                        () -> flight.into(render),
                                        Duration.ofSeconds(90).toNanos()))
                                .to(LAST))
                .sinks(LAST)
                .build();
    }

    @Test
    void tasksGoThroughLocalStagesInVirtualTime() {
        try (PipelineKit kit = PipelineKit.running(LocalStagesInKitTest::crawl).start()) {
            Steps.enqueue(kit, 10);
            kit.advance(Duration.ofSeconds(89));
            assertThat(kit.queue(FIRST)).hasLeased(10);
            kit.runUntilIdle();
            assertThat(kit.queue(LAST)).hasSize(10);
            assertThat(kit).handedOffOnce(FIRST);
            assertThat(kit.commits()).hasSize(10);
        }
    }

    /** Returns a pipeline whose first step takes a minute, by an alarm. */
    private static Pipeline waiting(Timer timer) {
        Alarms alarms = Alarms.start(timer, Runnable::run, 100);
        return Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.asyncHandler(flight -> alarms.after(Duration.ofMinutes(1), flight, late -> {
                                    late.finish(Outcome.handOff(LAST.task(late.payload())));
                                    return Taken.ACCEPTED;
                                }))
                                .to(LAST))
                .sinks(LAST)
                .build();
    }

    @Test
    void alarmsRingInVirtualTime() {
        try (PipelineKit kit = PipelineKit.running((_, timer) -> waiting(timer)).start()) {
            Steps.enqueue(kit, 10);
            kit.advance(Duration.ofSeconds(59));
            assertThat(kit.queue(LAST)).isEmpty();
            kit.advance(Duration.ofSeconds(2));
            assertThat(kit.queue(LAST)).hasSize(10);
        }
    }

    @Test
    void theyAreGoneWithTheirProcess() {
        try (PipelineKit kit = PipelineKit.running(LocalStagesInKitTest::crawl).start()) {
            Steps.enqueue(kit, 10);
            kit.advance(Duration.ofSeconds(89));
            kit.worker().crash();
            kit.advance(Duration.ofSeconds(2));
            assertThat(kit.queue(LAST)).isEmpty();
            kit.worker().start();
            kit.runUntilIdle();
            assertThat(kit.queue(LAST)).hasSize(10);
            assertThat(kit).handedOffOnce(FIRST);
        }
    }
}
