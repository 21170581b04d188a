package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.local.pool.Threads;
import io.taskmaster.stage.local.pool.WorkerPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of a paused stage, and of its events when it is resumed or drained. */
final class PausedStageTest extends SomeStages {

    @Test
    void eventsWaitInLineUntilItIsFull() {
        LocalStage<String> stage = bounded(2, b -> b);
        stage.pause();
        stage.pause();
        assertThat(stage.status().isPaused()).isTrue();
        assertThat(stage.offer("a").isTaken()).isTrue();
        assertThat(stage.offer("b").isTaken()).isTrue();
        assertThat(causeOf(stage.offer("c"))).isEqualTo(Cause.FULL);
        assertThat(world.workers).isEmpty();
        assertThat(stage.status().waiting()).isEqualTo(2);

        stage.resume();
        assertThat(stage.status().isPaused()).isFalse();
        world.work();
        assertThat(handled).containsExactly("a", "b");
        stage.resume();
        assertThat(world.workers).isEmpty();
    }

    @Test
    void whatDoesNotFitIsShedAsEver() {
        LocalStage<String> stage =
                bounded(1, b -> b.serviceClass(SomeStages::classOf).overflow(Overflow.shed()));
        stage.pause();
        stage.offer("bulk");
        assertThat(stage.offer("quick").isTaken()).isTrue();
        assertThat(stage.status().dropped(Drop.Cause.SHED)).isEqualTo(1);
        stage.resume();
        world.work();
        assertThat(handled).containsExactly("quick");
    }

    @Test
    void workerThatWasCalledBeforeTakesNone() {
        LocalStage<String> stage = bounded(2, b -> b);
        stage.offer("a");
        assertThat(world.workers).hasSize(1);
        stage.pause();
        world.work();
        assertThat(handled).isEmpty();
        assertThat(stage.status().workers()).isZero();

        stage.resume();
        world.work();
        assertThat(handled).containsExactly("a");
    }

    @Test
    void whatAHandlerHasGoesOn() {
        List<LocalStage<String>> own = new ArrayList<>();
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.handler(event -> {
                            own.getFirst().pause();
                            handled.add(event);
                        })
                        .boundary(2, b -> b));
        own.add(stage);
        stage.offer("a");
        stage.offer("b");
        world.work();
        assertThat(handled).containsExactly("a");
        assertThat(stage.status().done()).isEqualTo(1);
        assertThat(stage.status().waiting()).isEqualTo(1);
    }

    @Test
    void controlEventsWaitTooAndAreTheFirstThen() throws InterruptedException {
        LocalStage<String> stage = bounded(2, b -> b);
        stage.pause();
        stage.offer("a");
        assertThat(stage.control("c0")).isTrue();
        assertThat(stage.control("c1")).isTrue();
        world.work();
        assertThat(handled).isEmpty();
        stage.resume();
        world.work();
        assertThat(handled).containsExactly("c0", "c1", "a");
    }

    @Test
    void workersThatAreSetMeanwhileComeWhenItIsResumed() {
        LocalStage<String> stage = bounded(10, b -> b.concurrency(2));
        stage.pause();
        for (int i = 0; i < 5; i++) {
            stage.offer("e" + i);
        }
        assertThat(stage.status().maxWorkers()).isEqualTo(2);
        stage.concurrency(3);
        assertThat(stage.status().maxWorkers()).isEqualTo(3);
        assertThat(stage.status().isPaused()).isTrue();
        assertThat(world.workers).isEmpty();

        stage.resume();
        assertThat(world.workers).hasSize(3);
        world.work();
        assertThat(handled).hasSize(5);
    }

    @Test
    void whoeverHelpsFindsNothingToDo() {
        List<String> line = new ArrayList<>(List.of("a", "b"));
        WorkerPool workerPool = new WorkerPool(Threads.of(world.workers::add, () -> 0), 2, new WorkerPool.Work() {
            @Override
            public boolean handleNext() {
                return !line.isEmpty() && handled.add(line.removeFirst());
            }

            @Override
            public boolean hasWork() {
                return !line.isEmpty();
            }

            @Override
            public void ended() {}

            @Override
            public void isSlow(StackTraceElement[] where) {}

            @Override
            public void onNoThread() {}
        });
        workerPool.call();
        workerPool.pause();
        // The first call would use the place of the worker that was called, the second a free one.
        assertThat(workerPool.help()).isFalse();
        assertThat(workerPool.help()).isFalse();
        world.work();
        assertThat(handled).isEmpty();
        assertThat(workerPool.size()).isZero();

        workerPool.resume();
        assertThat(workerPool.help()).isTrue();
        world.work();
        assertThat(handled).containsExactly("a", "b");
        assertThat(workerPool.size()).isZero();
    }

    @Test
    void stageThatIsDrainedHandlesWhatItHas() {
        LocalStage<String> stage = bounded(2, b -> b);
        stage.pause();
        stage.offer("a");
        CompletableFuture<Void> removed = stages.remove("s", SHORT);
        assertThat(stage.status().isPaused()).isFalse();
        assertThat(removed).isNotDone();
        stage.pause();
        assertThat(stage.status().isPaused()).isFalse();
        world.work();
        assertThat(handled).containsExactly("a");
        assertThat(removed).isCompleted();
    }

    @Test
    void stageThatIsDrainedWithNothingInLineIsOverAtOnce() {
        LocalStage<String> stage = bounded(2, b -> b);
        stage.pause();
        assertThat(stages.remove("s", SHORT)).isCompleted();
    }

    @Test
    void stageWithoutABoundaryCannotBePaused() {
        LocalStage<String> stage = stages.add("s", s -> s.handler(handled::add));
        assertThatIllegalStateException()
                .isThrownBy(stage::pause)
                .withMessageContaining("stage s: no boundary (expected: ");
        stage.resume();
        assertThat(stage.status().isPaused()).isFalse();
        stage.offer("a");
        assertThat(handled).containsExactly("a");
    }
}
