package io.taskmaster.stage.worker.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.BatchHandler;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Flight;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.OneStage;
import io.taskmaster.stage.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests of the waiting and service times that a listener receives. */
final class TaskTimesTest extends OneStage {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final List<Duration> waits = new ArrayList<>();
    private final List<Duration> services = new ArrayList<>();

    private final TaskTimes times = new TaskTimes() {
        @Override
        public void waited(Stage<?> stage, Task<?> task, long waitNanos) {
            assertThat(stage.name()).isEqualTo("in");
            waits.add(Duration.ofNanos(waitNanos));
        }

        @Override
        public void handled(Stage<?> stage, long serviceNanos) {
            assertThat(stage.name()).isEqualTo("in");
            services.add(Duration.ofNanos(serviceNanos));
        }
    };

    private Worker startTimed(UnaryOperator<StageBuilder<String>> settings) {
        return Worker.start(pipeline(settings), world().timed(times));
    }

    /** Compares times. The reply of the server travels for some milliseconds, which are not counted. */
    private static void assertAbout(Duration seen, Duration expected) {
        assertThat(seen).isBetween(expected.minusMillis(10), expected);
    }

    @Test
    void tasksWaitAtTheServerAndHere() {
        tasks.enqueue("in", "p", "data");
        tasks.enqueue("in", "q", "data");
        time.run(LONG);
        startTimed(stage ->
                stage.handler(_ -> Outcome.done()).concurrency(1).prefetch(1).lease(LEASE));
        time.run(LONG);
        handlers.remove().run();
        time.run(LONG);
        handlers.remove().run();

        assertThat(waits).hasSize(2);
        assertAbout(waits.getFirst(), LONG.multipliedBy(2));
        assertAbout(waits.getLast(), LONG.multipliedBy(3));
    }

    @Test
    void batchHasTheWaitsOfItsTasksAndOneServiceTime() {
        tasks.enqueue("in", "p", "data");
        time.run(LONG);
        tasks.enqueue("in", "q", "data");
        BatchHandler<String> together = (batch, finish) -> {
            time.run(SHORT);
            batch.forEach(task -> finish.with(task, Outcome.done()));
        };
        startTimed(stage -> stage.batchHandler(10, together));
        runHandlers();

        assertThat(waits).hasSize(2);
        assertAbout(waits.getFirst(), LONG.plus(SHORT));
        assertAbout(waits.getLast(), SHORT);
        assertThat(services).containsExactly(SHORT);
    }

    @Test
    void taskThatIsFinishedElsewhereIsServedUntilThen() {
        tasks.enqueue("in", "p", "data");
        List<Flight<String>> flights = new ArrayList<>();
        startTimed(stage -> stage.asyncHandler(flights::add));
        time.run(SHORT);
        handlers.remove().run();
        time.run(LONG);
        assertThat(services).isEmpty();
        flights.getFirst().finish(Outcome.done());
        assertThat(services).containsExactly(LONG);
    }

    @Test
    void handlerThatThrowsHasTakenItsTimeToo() {
        tasks.enqueue("in", "p", "data");
        startTimed(stage -> stage.handler(_ -> {
            time.run(SHORT);
            throw new IllegalStateException("broken");
        }));
        runHandlers();
        assertThat(services).containsExactly(SHORT);
    }

    @Test
    void nothingIsHeardWhereNoHandlerIsCalled() {
        tasks.enqueue("in", "p", "no number");
        TaskQueue<Integer> numbers = TaskQueue.of("in", Codec.text(String::valueOf, Integer::valueOf));
        Worker worker = Worker.start(
                Pipeline.in("g")
                        .stage(numbers, stage -> stage.handler(_ -> Outcome.done()))
                        .build(),
                world().timed(times));
        runHandlers();

        assertThat(status(worker).dead()).isEqualTo(1);
        assertThat(waits).isEmpty();
        assertThat(services).isEmpty();
    }

    @Test
    void listenerThatThrowsHarmsNoTask() {
        tasks.enqueue("in", "p", "data");
        TaskTimes broken = new TaskTimes() {
            @Override
            public void waited(Stage<?> stage, Task<?> task, long waitNanos) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void handled(Stage<?> stage, long serviceNanos) {
                throw new IllegalStateException("broken");
            }
        };
        Worker worker = Worker.start(
                pipeline(stage -> stage.handler(task -> Outcome.handOff(OUT.task(task.payload())))
                        .to(OUT)),
                world().timed(broken));
        runHandlers();

        assertThat(tasks.pids("out")).containsExactly("p");
        assertThat(status(worker).done()).isEqualTo(1);
        assertThat(status(worker).retried()).isZero();
    }
}
