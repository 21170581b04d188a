package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.Update.IfExists;
import io.taskmaster.stage.BatchHandler;
import io.taskmaster.stage.BatchHandler.Finish;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Outcome.HandOff;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.StageStatus.Phase;
import io.taskmaster.stage.worker.task.InFlightTask.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of every event in every state of a task: it is committed once or not at all, and the worker keeps nothing. */
final class WorkerRacesTest extends OneStage {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration YEAR = Duration.ofDays(365);

    private static final HandOff HAND_OFF = Outcome.handOff(OUT.task("x"));

    /** The handler, set once the worker exists. */
    private BatchHandler<String> handler = (_, _) -> {};

    /** The event that interferes. */
    enum Race {
        LOST,
        EXPIRED,
        DRAIN,
        DEADLINE,
        LOST_IN_DRAIN,
        TIMEOUT,
        /** The outcome of a call that timed out, which is how its task got into its state. */
        LATE_OUTCOME
    }

    /**
     * Runs the event while a call of the handler runs, which ends afterwards: the call of the task, or the one that it
     * waits for. Commits and releases are applied once commits succeed again. A task that is left has its lease at the
     * server, or another worker has it.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            task     | meets         | is                 | retried | lost | timeouts
            READY    | LOST          | left               | 0       | 1    | 0
            READY    | EXPIRED       | left               | 0       | 1    | 0
            READY    | DRAIN         | given back untried | 0       | 0    | 0
            # Its own call cannot take too long; the one that it waits for never returns, as far as one can know, and is the one retry.
            READY    | TIMEOUT       | given back untried | 1       | 0    | 1
            RUNNING  | LOST          | left               | 0       | 1    | 0
            RUNNING  | EXPIRED       | left               | 0       | 1    | 0
            RUNNING  | DRAIN         | done               | 0       | 0    | 0
            # The handler is interrupted, and has some last words.
            RUNNING  | DEADLINE      | done               | 0       | 0    | 0
            RUNNING  | LOST_IN_DRAIN | left               | 0       | 1    | 0
            RUNNING  | TIMEOUT       | delayed            | 1       | 0    | 1
            RESTING  | LOST          | left               | 1       | 1    | 0
            RESTING  | EXPIRED       | left               | 1       | 1    | 0
            RESTING  | DRAIN         | given back         | 1       | 0    | 0
            # The call has said what it had to say, and drags on.
            RESTING  | TIMEOUT       | given back         | 1       | 0    | 0
            RESTING  | LATE_OUTCOME  | given back         | 1       | 0    | 1
            SETTLING | LOST          | left               | 0       | 1    | 0
            SETTLING | EXPIRED       | done               | 0       | 0    | 0
            SETTLING | DRAIN         | done               | 0       | 0    | 0
            SETTLING | DEADLINE      | left               | 0       | 1    | 0
            SETTLING | LOST_IN_DRAIN | left               | 0       | 1    | 0
            SETTLING | TIMEOUT       | done               | 0       | 0    | 0
            SETTLING | LATE_OUTCOME  | delayed            | 1       | 0    | 1
            # There are no others. A drain leaves nothing READY or RESTING that could meet its deadline, or be lost in it. What is READY has no
            # call that could speak: rest() gives back what still has one. What is RUNNING has one that was not late yet; those of its
            # earlier attempts have returned (or were flights: AsyncHandlerTest.flightOfAnEarlierAttemptDecidesNothing).
            """)
    void taskEndsAsItShouldWhateverItMeets(State state, Race race, String end, int retried, int lost, int timeouts) {
        if (state == State.READY) {
            tasks.enqueue("in", "before", "data");
        }
        tasks.enqueue("in", "p", "data");
        Worker worker = startHandling(
                1,
                stage -> stage.concurrency(state == State.READY ? 1 : 2)
                        .prefetch(state == State.READY ? 1 : 0)
                        .perKey(_ -> "key", state == State.RESTING ? 1 : 2));
        List<String> met = new ArrayList<>();
        handler = (batch, finish) -> {
            bring(batch.getFirst(), finish, state, race == Race.LATE_OUTCOME);
            StageStatus now = status(worker);
            met.add("%d ready, %d settling, %d retried, %s"
                    .formatted(now.ready(), now.settling(), now.retried(), endOf("p")));
            meet(race, worker);
            finish.with(batch.getFirst(), HAND_OFF);
        };
        runOneCall(worker);
        StageStatus status = stop(worker);

        assertThat(met)
                .containsExactly(
                        switch (state) {
                            case READY -> "1 ready, 0 settling, 0 retried, left";
                            case RUNNING -> "0 ready, 0 settling, 0 retried, left";
                            case RESTING -> "0 ready, 0 settling, 1 retried, left";
                            case SETTLING -> "0 ready, 1 settling, 0 retried, left";
                            case GONE -> "not a race";
                        });
        assertThat(endOf("p")).isEqualTo(end);
        assertThat(status.retried()).isEqualTo(retried);
        assertThat(status.lost()).isEqualTo(lost);
        assertThat(status.timeouts()).isEqualTo(timeouts);
        assertThat(status.done()).isEqualTo(tasks.pids("out").size());
    }

    @Test
    void leaseOfOneTaskOfABatchIsLostAndTheOthersGoOn() {
        tasks.enqueue("in", "p", "data");
        tasks.enqueue("in", "q", "data");
        Worker worker = startHandling(2, stage -> stage.concurrency(1));
        handler = (batch, finish) -> {
            seen.addAll(batch);
            lose("p");
            batch.forEach(task -> finish.with(task, HAND_OFF));
        };
        runOneCall(worker);

        assertThat(seen).extracting(Task::isCancelled).containsExactly(true, false);
        assertThat(endOf("p")).isEqualTo("left");
        assertThat(endOf("q")).isEqualTo("done");
        assertThat(stop(worker).lost()).isEqualTo(1);
    }

    @Test
    void commitThatIsUnderWayWhenTheLeaseIsLostIsTheLast() {
        tasks.enqueue("in", "p", "data");
        Worker worker = startHandling(1, stage -> stage);
        handler = (batch, finish) -> {
            tasks.commitsFail(LEASE.plus(SHORT));
            finish.with(batch.getFirst(), HAND_OFF);
            lose("p");
        };
        time.run(SHORT);
        worker.pause("in");
        handlers.remove().run();
        assertThat(status(worker).settling()).as("it may have been applied").isEqualTo(1);

        // The span is shorter than the pause before another commit.
        time.run(SHORT.plusMillis(20));
        assertThat(status(worker).lost()).isEqualTo(1);
        stop(worker);
        assertThat(endOf("p")).isEqualTo("left");
    }

    @Test
    void callWhoseLeaseIsLostDoesNotTakeTooLong() {
        tasks.enqueue("in", "p", "data");
        Worker worker = startHandling(1, stage -> stage);
        handler = (_, _) -> {
            lose("p");
            time.run(TIMEOUT);
        };
        runOneCall(worker);

        StageStatus status = stop(worker);
        assertThat(status.timeouts()).isZero();
        assertThat(status.lost()).isEqualTo(1);
        assertThat(endOf("p")).isEqualTo("left");
    }

    @Test
    void leaseMayBeLostAfterTheCallTookTooLong() {
        tasks.enqueue("in", "p", "data");
        Worker worker = startHandling(1, stage -> stage.perKey(_ -> "key", 1));
        handler = (batch, finish) -> {
            time.run(TIMEOUT);
            lose("p");
            finish.with(batch.getFirst(), HAND_OFF);
        };
        runOneCall(worker);

        StageStatus status = stop(worker);
        assertThat(status.timeouts()).isEqualTo(1);
        assertThat(status.lost()).isEqualTo(1);
        assertThat(endOf("p")).isEqualTo("left");
    }

    @ParameterizedTest
    @CsvSource({"2, delayed", "1, given back"})
    void retryDuringADrainIsTheNextWorkers(int atOnce, String end) {
        tasks.enqueue("in", "p", "data");
        Worker worker = startHandling(1, stage -> stage.perKey(_ -> "key", atOnce));
        handler = (batch, finish) -> {
            drain(worker, LONG);
            finish.with(batch.getFirst(), Outcome.retryAfter(YEAR, "no"));
        };
        runOneCall(worker);

        assertThat(status(worker).phase()).isEqualTo(Phase.STOPPED);
        assertThat(endOf("p")).isEqualTo(end);
        assertThat(tasks.attempts("in", "p")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"false, done", "true, given back"})
    void drainWaitsForTheAnswerToARefusal(boolean isRetry, String end) {
        Worker worker = startRefused(isRetry);
        drain(worker, LONG);
        assertThat(status(worker).phase()).isEqualTo(Phase.DRAINING);

        runHandlers();
        stop(worker);
        assertThat(endOf("p")).isEqualTo(end);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answerToARefusalIsInVainOnceTheLeaseIsLost(boolean isRetry) {
        Worker worker = startRefused(isRetry);
        lose("p");
        runHandlers();

        assertThat(stop(worker).lost()).isEqualTo(1);
        assertThat(endOf("p")).isEqualTo("left");
    }

    /**
     * Starts a worker whose hand-off was refused. The answer to the refusal is pending, and is a retry or a hand-off
     * that is accepted.
     */
    private Worker startRefused(boolean isRetry) {
        tasks.enqueue("in", "p", "data");
        tasks.enqueue("out", "taken", "data");
        Worker worker = startHandling(1, stage -> stage.perKey(_ -> "key", 1));
        handler = (batch, finish) -> finish.with(
                batch.getFirst(),
                Outcome.handOff(OUT.task("x").at("taken").ifExists(IfExists.FAIL))
                        .otherwise(_ -> isRetry ? Outcome.retry("taken") : HAND_OFF));
        runOneCall(worker);
        assertThat(handlers).as("the answer").hasSize(1);
        return worker;
    }

    @Test
    void drainAfterAPauseEndsTheCallThatIsUnderWayAndGivesBackWhatItBrings() {
        Worker worker = startHandling(1, stage -> stage);
        time.run(Duration.ofNanos(1));
        worker.pause("in");
        CompletableFuture<Void> drained = worker.drain(LONG);
        tasks.enqueue("in", "p", "data");
        time.run(SHORT);

        assertThat(drained).isCompleted();
        assertThat(tasks.leases()).isEqualTo(1);
        assertThat(endOf("p")).isEqualTo("given back untried");
    }

    @Test
    void drainAfterAPauseLeavesNoCallAtTheServer() {
        Worker worker = startHandling(1, stage -> stage);
        time.run(Duration.ofMillis(100));
        worker.pause("in");
        time.run(Duration.ofMillis(100));
        CompletableFuture<Void> drained = worker.drain(LONG);
        time.run(SHORT);
        tasks.enqueue("in", "p", "data");
        time.run(LONG);

        assertThat(drained).isCompleted();
        assertThat(tasks.leases()).isZero();
    }

    private Worker startHandling(int maxBatch, UnaryOperator<StageBuilder<String>> settings) {
        return start(stage -> settings.apply(
                        stage.batchHandler(maxBatch, (batch, finish) -> handler.handle(batch, finish)))
                .lease(LEASE)
                .timeout(TIMEOUT)
                .retry(RetryPolicy.DEFAULT.delays(YEAR, YEAR))
                .to(OUT));
    }

    /** Runs one call and its consequences. The stage leases nothing more. */
    private void runOneCall(Worker worker) {
        time.run(SHORT);
        worker.pause("in");
        handlers.remove().run();
        time.run(Duration.ofMinutes(1));
        tasks.commitsPass();
        time.run(Duration.ofMinutes(1));
    }

    private StageStatus stop(Worker worker) {
        drain(worker, LONG);
        StageStatus status = status(worker);
        assertThat(status.phase()).isEqualTo(Phase.STOPPED);
        assertThat(List.of(status.ready(), status.running(), status.abandoned(), status.settling()))
                .as("in hand")
                .containsOnly(0);
        return status;
    }

    /** Brings the task into its state, by the means of its handler. */
    private void bring(Task<String> task, Finish<String> finish, State state, boolean late) {
        if (state == State.SETTLING) {
            tasks.commitsFail(Duration.ZERO);
        }
        if (late) {
            time.run(TIMEOUT);
        } else if (state == State.RESTING) {
            finish.with(task, Outcome.retryAfter(YEAR, "not now"));
        } else if (state == State.SETTLING) {
            finish.with(task, HAND_OFF);
        }
        time.run(SHORT);
    }

    private void meet(Race race, Worker worker) {
        switch (race) {
            case LOST -> lose("p");
            case EXPIRED -> {
                tasks.expire("in", "p");
                time.run(LEASE);
            }
            case DRAIN -> drain(worker, LONG);
            case DEADLINE -> drain(worker, SHORT);
            case LOST_IN_DRAIN -> {
                drain(worker, LONG);
                lose("p");
            }
            case TIMEOUT -> time.run(TIMEOUT);
            case LATE_OUTCOME -> {}
        }
    }

    /** Leases the task to another worker, which a renewal detects. */
    private void lose(String pid) {
        tasks.steal("in", pid);
        time.run(LEASE);
    }

    private void drain(Worker worker, Duration deadline) {
        CompletableFuture<Void> _ = worker.drain(deadline);
        time.run(SHORT.multipliedBy(2));
    }

    /** Returns the end of a task at the server. */
    private String endOf(String pid) {
        if (!tasks.pids("in").contains(pid)) {
            return tasks.pids("out").contains(pid) ? "done" : "gone";
        } else if (!tasks.isReleased("in", pid)) {
            return "left";
        } else if (tasks.attempts("in", pid) == 0) {
            return "given back untried";
        }
        return tasks.isOffered("in", pid) ? "given back" : "delayed";
    }
}
