package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.worker.StageStatus.Phase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of the phases of a worker and of the tasks that it holds. {@link WorkerRacesTest} covers races. */
final class WorkerLifecycleTest extends OneStage {

    @Test
    void lostLeaseCancelsTheHandlerAndNothingIsCommitted() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.handler(task -> {
                    seen.add(task);
                    tasks.steal("in", "p");
                    time.run(LEASE);
                    return Outcome.handOff(OUT.task("late"));
                })
                .to(OUT));
        runHandlers();

        assertThat(seen.getFirst().isCancelled()).isTrue();
        assertThat(tasks.pids("out")).isEmpty();
        assertThat(tasks.pids("in")).containsExactly("p");
        assertThat(status(worker).lost()).isEqualTo(1);
    }

    @Test
    void lossThatNobodyNoticedIsNoticedByTheCommit() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.handler(_ -> {
                    tasks.steal("in", "p");
                    return Outcome.handOff(OUT.task("late"));
                })
                .to(OUT));
        runHandlers();

        assertThat(tasks.pids("out")).isEmpty();
        assertThat(status(worker).lost()).isEqualTo(1);
        assertThat(status(worker).done()).isZero();
    }

    @Test
    void leaseIsRenewedForAsLongAsAHandlerRuns() {
        tasks.enqueue("in", "p", "data");
        start(stage -> stage.handler(_ -> Outcome.done()).lease(LEASE));
        time.run(LEASE.multipliedBy(5));

        assertThat(handlers).hasSize(1);
        assertThat(tasks.attempts("in", "p")).isEqualTo(1);
        assertThat(tasks.isLeased("in", "p")).isTrue();
    }

    @Test
    void handlerThatTakesTooLongIsOvertaken() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.handler(task -> {
                    if (seen.isEmpty()) {
                        seen.add(task);
                        time.run(Duration.ofSeconds(90));
                    }
                    return Outcome.handOff(OUT.task("attempt " + task.attempt()));
                })
                .to(OUT)
                .timeout(Duration.ofMinutes(1)));
        runHandlers();

        assertThat(seen.getFirst().isCancelled()).isTrue();
        assertThat(tasks.pids("out")).isEmpty();
        assertThat(status(worker).timeouts()).isEqualTo(1);

        time.run(SHORT);
        runHandlers();
        assertThat(tasks.data("out", "p")).isEqualTo("attempt 2");
    }

    @Test
    void draggingHandlersAreAllOvertakenInTheirTurn() {
        tasks.enqueue("in", "p1", "data");
        Worker worker = start(stage -> stage.handler(_ -> Outcome.done()).timeout(Duration.ofMinutes(1)));
        time.run(Duration.ofSeconds(30));
        tasks.enqueue("in", "p2", "data");
        time.run(Duration.ofSeconds(40));
        assertThat(status(worker).timeouts()).isEqualTo(1);

        time.run(Duration.ofSeconds(30));
        assertThat(status(worker).timeouts()).isEqualTo(2);
    }

    @Test
    void drainFinishesWhatRunsAndGivesBackWhatWaits() {
        tasks.enqueue("in", "p1", "data");
        tasks.enqueue("in", "p2", "data");
        Worker worker =
                start(stage -> stage.handler(_ -> Outcome.done()).concurrency(1).prefetch(5));
        time.run(SHORT);
        CompletableFuture<Void> drained = worker.drain(Duration.ofMinutes(1));
        time.run(SHORT);

        assertThat(tasks.isLeased("in", "p2")).isFalse();
        assertThat(tasks.attempts("in", "p2")).as("no handler has had it").isZero();
        assertThat(tasks.isLeased("in", "p1")).isTrue();
        assertThat(drained).isNotDone();

        runHandlers();
        assertThat(drained).isCompleted();
        assertThat(tasks.pids("in")).containsExactly("p2");
        assertThat(status(worker).phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    void drainHasADeadline() {
        tasks.enqueue("in", "p", "data");
        Worker worker = startWith(_ -> Outcome.done());
        time.run(SHORT);
        CompletableFuture<Void> drained = worker.drain(Duration.ofMinutes(1));
        time.run(Duration.ofMinutes(1).plus(StageRunner.CLOSE_TIMEOUT));

        assertThat(drained).isCompleted();
        time.run(Duration.ofMinutes(2));
        assertThat(tasks.isLeased("in", "p")).isFalse();
    }

    @Test
    void handlerThatIsInterruptedByTheDeadlineGivesItsTaskBack() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.handler(_ -> {
                    time.run(Duration.ofMinutes(2));
                    throw new InterruptedException();
                })
                .retry(RetryPolicy.DEFAULT.maxAttempts(1)));
        time.run(SHORT);
        CompletableFuture<Void> _ = worker.drain(Duration.ofMinutes(2));
        runHandlers();

        assertThat(tasks.pids("in")).containsExactly("p");
        assertThat(tasks.isLeased("in", "p")).isFalse();
        assertThat(tasks.pids("in.dead")).isEmpty();
    }

    @Test
    void pausedStageLeasesNothingUntilItIsResumed() {
        Worker worker = startWith(_ -> Outcome.done());
        worker.pause("in");
        time.run(Duration.ofMinutes(1));
        tasks.enqueue("in", "p", "data");
        time.run(Duration.ofMinutes(1));
        assertThat(handlers).isEmpty();
        assertThat(status(worker).phase()).isEqualTo(Phase.PAUSED);

        worker.resume("in");
        runHandlers();
        assertThat(tasks.pids("in")).isEmpty();
    }

    @Test
    void handlersThatNeverReturnHoldNoTasks() {
        for (int i = 0; i < 10; i++) {
            tasks.enqueue("in", "p" + i, "data");
        }
        Worker worker = start(stage ->
                stage.handler(_ -> Outcome.done()).concurrency(2).prefetch(2).timeout(Duration.ofMinutes(1)));
        time.run(Duration.ofMinutes(2));

        assertThat(status(worker).abandoned()).isEqualTo(2);
        assertThat(tasks.pids("in"))
                .filteredOn(pid -> tasks.isLeased("in", pid))
                .isEmpty();

        runHandlers();
        assertThat(status(worker).abandoned()).isZero();
        runHandlers();
        assertThat(status(worker).done()).isPositive();
    }

    @Test
    void stageWhoseHandlersNeverReturnKeepsNothingThatComesLater() {
        tasks.enqueue("in", "p1", "data");
        Worker worker = start(stage ->
                stage.handler(_ -> Outcome.done()).concurrency(1).prefetch(10).timeout(Duration.ofMinutes(1)));
        time.run(Duration.ofMinutes(2));
        assertThat(status(worker).abandoned()).isEqualTo(1);
        tasks.enqueue("in", "p2", "data");
        time.run(SHORT);
        assertThat(tasks.pids("in"))
                .filteredOn(pid -> tasks.isLeased("in", pid))
                .isEmpty();
        assertThat(tasks.attempts("in", "p2")).as("no handler has had it").isZero();

        runHandlers();
        time.run(SHORT);
        runHandlers();
        assertThat(status(worker).done()).isPositive();
    }

    @Test
    void whatAHandlerHasHadIsGivenBackAsTriedThoughItWaitsAgain() {
        tasks.enqueue("in", "p1", "data");
        tasks.enqueue("in", "p2", "data");
        Worker worker = start(stage -> stage.handler(_ -> Outcome.hold(SHORT, "not yet"))
                .concurrency(1)
                .prefetch(5));
        time.run(SHORT);
        runHandlers();
        time.run(SHORT.multipliedBy(2));
        assertThat(handlers).as("one is at work, the other waits").hasSize(1);

        CompletableFuture<Void> _ = worker.drain(Duration.ofMinutes(1));
        time.run(SHORT);
        assertThat(List.of("p1", "p2"))
                .filteredOn(pid -> !tasks.isLeased("in", pid))
                .singleElement()
                .satisfies(pid -> assertThat(tasks.attempts("in", pid)).isEqualTo(1));
    }

    @Test
    void whatADrainedCallBringsIsGivenBack() {
        tasks.enqueue("in", "p", "data");
        Worker worker = startWith(_ -> Outcome.done());
        time.run(Duration.ofNanos(1));
        CompletableFuture<Void> drained = worker.drain(Duration.ofMinutes(1));
        time.run(SHORT);

        assertThat(drained).isCompleted();
        assertThat(tasks.leases()).isEqualTo(1);
        assertThat(tasks.attempts("in", "p")).as("no handler has had it").isZero();
        assertThat(tasks.isLeased("in", "p")).isFalse();
    }

    @Test
    void drainOfAWorkerThatWaitsForTasksTakesNoTime() {
        Worker worker = startWith(_ -> Outcome.done());
        time.run(SHORT);
        CompletableFuture<Void> drained = worker.drain(Duration.ofMinutes(1));
        time.run(Duration.ZERO);

        assertThat(drained).isCompleted();
        time.run(Duration.ofMillis(100));
        tasks.enqueue("in", "p", "data");
        time.run(Duration.ofMinutes(1));
        assertThat(tasks.attempts("in", "p")).isZero();
    }

    @Test
    void expiredLeaseIsNoReasonToThrowAnOutcomeAway() {
        tasks.enqueue("in", "p", "data");
        Worker worker = startWith(_ -> Outcome.handOff(OUT.task("x")));
        time.run(SHORT);
        tasks.failurePercent(100);
        handlers.remove().run();
        time.run(Duration.ofMinutes(5));
        assertThat(tasks.pids("out")).isEmpty();

        worker.pause("in");
        tasks.failurePercent(0);
        time.run(Duration.ofMinutes(1));
        assertThat(tasks.pids("out")).containsExactly("p");
        assertThat(status(worker).done()).isEqualTo(1);
    }
}
