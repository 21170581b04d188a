package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Flight;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.Overflow;
import io.taskmaster.stage.local.pool.LocalEnvironment;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests of a stage whose tasks are finished elsewhere, in simulated time. */
final class AsyncHandlerTest {

    private static final TaskQueue<String> IN = TaskQueue.of("in", Codec.utf8());
    private static final TaskQueue<String> OUT = TaskQueue.of("out", Codec.utf8());
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    private final SimulatedTasks tasks = new SimulatedTasks(time, new SplittableRandom(2));
    private final List<Flight<String>> flights = new ArrayList<>();

    @Test
    void taskIsKeptUntilItsOutcomeComes() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.asyncHandler(flights::add));
        time.run(LONG);
        assertThat(flights).hasSize(1);
        assertThat(tasks.isLeased("in", "p")).isTrue();

        flights.getFirst().finish(Outcome.handOff(OUT.task(flights.getFirst().payload() + "!")));
        flights.getFirst().finish(Outcome.dead("too late"));
        time.run(SHORT);
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(tasks.data("out", "p")).isEqualTo("data!");
        assertThat(status(worker).running()).isZero();
    }

    @Test
    void concurrencyBoundsWhatIsOnItsWay() {
        for (int i = 0; i < 5; i++) {
            tasks.enqueue("in", "p" + i, "data");
        }
        start(stage -> stage.asyncHandler(flights::add).concurrency(2));
        time.run(SHORT);
        assertThat(flights).hasSize(2);
        flights.getFirst().finish(Outcome.done());
        time.run(SHORT);
        assertThat(flights).hasSize(3);
    }

    @Test
    void taskThatTakesTooLongIsTriedAgainAndItsPermitIsFree() {
        tasks.enqueue("in", "p", "data");
        Worker worker =
                start(stage -> stage.asyncHandler(flights::add).concurrency(1).timeout(SHORT));
        time.run(Duration.ofSeconds(30));
        assertThat(flights).hasSizeGreaterThan(1);
        assertThat(flights.getFirst().isCancelled()).isTrue();
        assertThat(status(worker).abandoned()).isZero();

        flights.getFirst().finish(Outcome.done());
        time.run(Duration.ZERO);
        assertThat(tasks.pids("in")).containsExactly("p");
    }

    @Test
    void lostLeaseCancelsTheFlightAndFreesItsPermit() {
        tasks.enqueue("in", "p", "data");
        tasks.enqueue("in", "q", "data");
        start(stage -> stage.asyncHandler(flights::add).concurrency(1).lease(Duration.ofSeconds(10)));
        time.run(SHORT);
        assertThat(flights).hasSize(1);
        tasks.steal("in", "p");
        time.run(Duration.ofSeconds(30));
        assertThat(flights.getFirst().isCancelled()).isTrue();
        assertThat(flights).hasSizeGreaterThan(1);
    }

    @Test
    void handlerThatThrowsHasFinishedNothing() {
        tasks.enqueue("in", "p", "data");
        start(stage -> stage.asyncHandler(flight -> {
            flights.add(flight);
            throw new IllegalStateException("broken");
        }));
        time.run(Duration.ofSeconds(30));
        assertThat(flights).hasSizeGreaterThan(1);
        assertThat(flights.get(1).task().attempt()).isEqualTo(2);
    }

    @Test
    void drainWaitsForFlightsAndGivesThemUpAtItsDeadline() {
        tasks.enqueue("in", "p", "data");
        tasks.enqueue("in", "q", "data");
        Worker worker = start(stage -> stage.asyncHandler(flights::add));
        time.run(SHORT);
        CompletableFuture<Void> drained = worker.drain(SHORT.multipliedBy(5));
        time.run(SHORT);
        assertThat(drained).isNotDone();
        flights.stream()
                .filter(flight -> flight.task().pid().toString().contains("p"))
                .forEach(flight -> flight.finish(Outcome.done()));
        assertThat(time.runUntil(drained::isDone, SHORT.multipliedBy(5))).isTrue();
        assertThat(tasks.pids("in")).containsExactly("q");
        assertThat(tasks.isLeased("in", "q")).isFalse();
    }

    @Test
    void flightThatIsSpilledIsDone() {
        Deque<Runnable> workers = new ArrayDeque<>();
        List<String> spilled = new ArrayList<>();
        LocalStage<Flight<String>> full = LocalStages.start(new LocalEnvironment(time, workers::add, workers::add))
                .add(
                        "full",
                        stage -> stage.handler(flight -> flight.finish(Outcome.done()))
                                .boundary(
                                        1,
                                        boundary -> boundary.overflow(Overflow.spill(5, flight -> {
                                            spilled.add(flight.payload());
                                            return spilled.size() == 2
                                                    ? CompletableFuture.failedFuture(new IllegalStateException("no"))
                                                    : CompletableFuture.completedFuture(null);
                                        }))));
        tasks.enqueue("in", "p1", "kept");
        tasks.enqueue("in", "p2", "spilled");
        tasks.enqueue("in", "p3", "lost");
        start(stage -> stage.into(full).retry(RetryPolicy.DEFAULT.delays(LONG, LONG)));
        time.run(SHORT);
        assertThat(spilled).containsExactly("spilled", "lost");
        assertThat(tasks.pids("in")).containsExactly("p1", "p3");
        assertThat(tasks.isLeased("in", "p1")).isTrue();
        assertThat(tasks.isLeased("in", "p3")).as("it is tried again").isFalse();
    }

    @Test
    void tasksGoThroughLocalStagesAndWhatTheseRefuseOrDropComesBack() {
        Deque<Runnable> workers = new ArrayDeque<>();
        LocalStages local = LocalStages.start(new LocalEnvironment(time, workers::add, workers::add));
        LocalStage<Flight<String>> last = local.add(
                "last", stage -> stage.handler(flight -> flight.finish(Outcome.handOff(OUT.task(flight.payload())))));
        List<Integer> attempts = new ArrayList<>();
        LocalStage<Flight<String>> first = local.add(
                "first",
                stage -> stage.handler(flight -> {
                            attempts.add(flight.task().attempt());
                            if (attempts.size() == 1) {
                                throw new IllegalStateException("broken");
                            }
                            assertThat(last.offer(flight)).isEqualTo(Taken.ACCEPTED);
                        })
                        .boundary(1, b -> b));
        tasks.enqueue("in", "p", "data");
        tasks.enqueue("in", "q", "data");
        Worker worker = start(stage -> stage.into(first));
        assertThat(time.runUntil(() -> status(worker).lastFailure().isPresent(), SHORT))
                .isTrue();
        assertThat(status(worker).lastFailure()).contains("local stage: refused the task, " + Cause.FULL);

        for (int i = 0; i < 100; i++) {
            while (!workers.isEmpty()) {
                workers.remove().run();
            }
            time.run(SHORT);
        }
        assertThat(attempts).hasSize(3).contains(2);
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(tasks.pids("out")).containsExactlyInAnyOrder("p", "q");
    }

    @Test
    void refusalIsNoAttempt() {
        tasks.enqueue("in", "p", "data");
        List<Integer> attempts = new ArrayList<>();
        Worker worker = start(stage -> stage.into(flight -> {
            attempts.add(flight.task().attempt());
            return attempts.size() <= 50 ? new Refused(Cause.FULL, Duration.ofMillis(100)) : accepted(flight);
        }));
        time.run(LONG);
        assertThat(attempts).hasSize(51).containsOnly(1);
        assertThat(status(worker).done()).isEqualTo(1);
        assertThat(status(worker).retried()).isZero();
        assertThat(tasks.pids("in.dead")).isEmpty();
    }

    @Test
    void taskThatNeverFitsIsDead() {
        tasks.enqueue("in", "p", "data");
        start(stage -> stage.into(_ -> new Refused(Cause.TOO_LARGE, Duration.ZERO)));
        time.run(SHORT);
        assertThat(tasks.pids("in.dead")).containsExactly("p");
    }

    @Test
    void postponedTaskIsGivenBackByADrain() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.into(_ -> new Refused(Cause.FULL, LONG)));
        time.run(SHORT);
        CompletableFuture<Void> drained = worker.drain(LONG);
        time.run(SHORT);
        assertThat(drained).isCompleted();
        assertThat(tasks.isLeased("in", "p")).isFalse();
    }

    /**
     * Checks that the flight of an earlier attempt has no effect: with keys the next attempt has the same lease, but
     * another flight.
     */
    @Test
    void flightOfAnEarlierAttemptDecidesNothing() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.asyncHandler(flights::add)
                .perKey(_ -> "key", 1)
                .timeout(SHORT)
                .retry(RetryPolicy.DEFAULT.delays(SHORT, SHORT)));
        assertThat(time.runUntil(() -> flights.size() == 2, Duration.ofSeconds(30)))
                .isTrue();
        assertThat(flights.get(0).isCancelled()).isTrue();
        assertThat(flights.get(1).isCancelled()).isFalse();
        assertThat(flights.get(1).task().attempt()).isEqualTo(2);

        flights.get(0).finish(Outcome.dead("too late"));
        flights.get(1).finish(Outcome.done());
        time.run(SHORT);
        assertThat(status(worker).done()).isEqualTo(1);
        assertThat(tasks.pids("in.dead")).isEmpty();
    }

    private static Admission accepted(Flight<String> flight) {
        flight.finish(Outcome.done());
        return Taken.ACCEPTED;
    }

    private Worker start(UnaryOperator<StageBuilder<String>> settings) {
        Pipeline pipeline = Pipeline.in("g")
                .stage(IN, stage -> settings.apply(stage).to(OUT))
                .sinks(OUT)
                .build();
        return Worker.start(
                pipeline,
                new WorkerEnvironment(
                        tasks.service(time, () -> true), time, Runnable::run, Runnable::run, new SplittableRandom(3)));
    }

    private static StageStatus status(Worker worker) {
        return worker.status().join().getFirst();
    }
}
