package io.taskmaster.testkit.pipeline.fault;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static io.taskmaster.testkit.pipeline.Steps.LAST;
import static io.taskmaster.testkit.pipeline.Steps.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.testkit.pipeline.Commit;
import io.taskmaster.testkit.pipeline.Commit.Fate;
import io.taskmaster.testkit.pipeline.KitEvent;
import io.taskmaster.testkit.pipeline.PipelineKit;
import io.taskmaster.testkit.pipeline.Steps;
import io.taskmaster.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PipelineFaultsTest {

    private final PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start();

    @AfterEach
    void everyFaultHasHappened() {
        kit.close();
    }

    private void run() {
        Steps.enqueue(kit, 3);
        kit.runUntilIdle();
        // Time for the retry of a commit that was applied already.
        kit.advance(Duration.ofSeconds(1));
        assertThat(kit.queue(LAST)).containsExactly("t0t0!", "t1t1!", "t2t2!");
        assertThat(kit).handedOffOnce(FIRST).handedOffOnce(SECOND);
    }

    private List<Commit> notApplied() {
        return kit.commits().stream().filter(commit -> !commit.isApplied()).toList();
    }

    private String trace() {
        return String.join("\n", kit.trace().stream().map(KitEvent::toString).toList());
    }

    @Test
    void aTaskWhoseLeaseIsLostIsWorkedOnTwiceAndHandedOffOnce() {
        kit.faults().atAttempt(FIRST, 2).loseLease();
        run();
        assertThat(kit).hasAttempts(FIRST, 4);
        assertThat(notApplied()).singleElement().satisfies(commit -> {
            assertThat(commit.queue().name()).hasToString("first");
            assertThat(((Fate.Refused) commit.fate()).why()).isIn(Status.LEASE_LOST, Status.NOT_FOUND);
        });
    }

    @Test
    void aRefusedCommitIsSentAgain() {
        kit.faults().atCommit(SECOND, 2).refuse();
        run();
        assertThat(kit).hasAttempts(SECOND, 3);
        assertThat(notApplied())
                .singleElement()
                .satisfies(commit -> assertThat(commit.fate()).isEqualTo(new Fate.Failed(ErrorCode.OVERLOADED)));
    }

    @Test
    void aCommitThatCanNeverBeMakesADeadLetter() {
        kit.faults().atCommit(FIRST, 1).refuse(ErrorCode.TASK_TOO_LARGE);
        Steps.enqueue(kit, 1);
        kit.runUntilIdle();
        assertThat(kit.deadLetters(FIRST)).hasDead("000", "hand-off: injected by the test");
    }

    @Test
    void aLostReplyIsDoneAndAskedForAgain() {
        kit.faults().atCommit(FIRST, 1).loseReply();
        run();
        assertThat(kit).hasAttempts(FIRST, 3);
        assertThat(notApplied())
                .singleElement()
                .satisfies(commit -> assertThat(commit.fate()).isEqualTo(new Fate.Refused(Status.NOT_FOUND)));
        assertThat(kit.status(kit.worker()).getFirst().lost()).isEqualTo(1);
    }

    @Test
    void aLateReplyHoldsUpOneTaskOnly() {
        Duration late = Duration.ofMinutes(5);
        kit.faults().atCommit(FIRST, 1).delayReply(late);
        run();
        assertThat(kit).hasAttempts(FIRST, 3);
        assertThat(kit.status(kit.worker()).getFirst().settling()).isPositive();
        kit.advance(late);
        assertThat(kit.status(kit.worker()).getFirst().settling()).isZero();
        assertThat(kit.status(kit.worker()).getFirst().done()).isEqualTo(3);
    }

    @Test
    void aCrashInAHandlerCostsALease() {
        kit.faults().atAttempt(SECOND, 1).crash();
        run();
        assertThat(kit.attempts(SECOND)).isGreaterThanOrEqualTo(4);
        assertThat(Duration.between(VirtualTime.START, kit.now())).isGreaterThan(Duration.ofSeconds(59));
        assertThat(trace()).containsSubsequence("worker  starts", "worker  crashes in this attempt", "worker  starts");
    }

    @Test
    void aHandlerIsNotCalledInAProcessThatHasCrashed() {
        List<Integer> calls = new ArrayList<>();
        Pipeline batches = Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.batchHandler(10, (tasks, finish) -> {
                            calls.add(tasks.size());
                            tasks.forEach(task -> finish.with(task, Outcome.done()));
                        }))
                .build();
        try (PipelineKit batch = PipelineKit.of(batches).start()) {
            batch.faults().atAttempt(FIRST, 2).crash();
            batch.enqueue(
                    FIRST.task("a").at("1"),
                    FIRST.task("b").at("2"),
                    FIRST.task("c").at("3"));
            batch.advance(Duration.ofSeconds(30));
            assertThat(calls).isEmpty();
            assertThat(batch).hasAttempts(FIRST, 2);
            batch.runUntilIdle();
            assertThat(calls.stream().mapToInt(Integer::intValue).sum()).isEqualTo(3);
        }
    }

    @Test
    void aCrashBeforeACommitDoesNothing() {
        kit.faults().atCommit(FIRST, 1).crashBefore();
        Steps.enqueue(kit, 1);
        kit.advance(Duration.ofSeconds(30));
        assertThat(kit.commits()).isEmpty();
        assertThat(kit.queue(FIRST)).hasLeased(1);
        kit.runUntilIdle();
        assertThat(kit).hasAttempts(FIRST, 2).handedOffOnce(FIRST);
        assertThat(trace()).contains("worker  crashes before a commit");
    }

    @Test
    void aCrashAfterACommitDoesNoMoreThanIt() {
        kit.faults().atCommit(FIRST, 1).crashAfter();
        Steps.enqueue(kit, 1);
        kit.runUntilIdle();
        assertThat(kit).hasAttempts(FIRST, 1).handedOffOnce(FIRST);
        assertThat(trace()).contains("worker  crashes after a commit");
        assertThat(kit.queue(LAST)).hasSize(1);
    }

    @Test
    void aTaskThatFailsIsTriedAgain() {
        kit.faults().atAttempt(FIRST, 1).fail("tired").atAttempt(FIRST, 2).fail("still tired");
        run();
        assertThat(kit).hasAttempts(FIRST, 5);
        assertThat(kit.status(kit.worker()).getFirst().lastFailure()).contains("still tired");
    }

    @Test
    void aFaultThatNeverHappensFailsTheTest() {
        PipelineKit idle = PipelineKit.of(Steps.PIPELINE).start();
        idle.faults().atCommit(FIRST, 4).loseReply().atAttempt(SECOND, 9).crash();
        Steps.enqueue(idle, 3);
        idle.runUntilIdle();
        assertThatThrownBy(idle::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("commit 4 of first: lose the reply")
                .hasMessageContaining("attempt 9 of second: crash");
    }

    private static PipelineKit pair(UnaryOperator<PipelineFaults> faults) {
        PipelineKit pair = PipelineKit.of(Steps.PIPELINE).start();
        PipelineFaults _ = faults.apply(pair.faults());
        pair.enqueue(FIRST.task("a").at("1"), FIRST.task("b").at("2"));
        pair.runUntilIdle();
        return pair;
    }

    @Test
    void aFaultThatACrashForestallsFailsTheTest() {
        PipelineKit before = pair(faults ->
                faults.atCommit(FIRST, 1).loseReply().atCommit(FIRST, 2).crashBefore());
        assertThatThrownBy(before::close)
                .hasMessageContaining("commit 1 of first: lose the reply (missed: the worker ");
        PipelineKit after = pair(faults ->
                faults.atCommit(FIRST, 1).loseReply().atCommit(FIRST, 2).crashAfter());
        assertThatThrownBy(after::close).hasMessageContaining("commit 1 of first: lose the reply (missed: the worker ");
    }

    @Test
    void aFaultOfACommitThatIsNotDoneFailsTheTest() {
        PipelineKit refused = pair(faults ->
                faults.atAttempt(FIRST, 1).loseLease().atCommit(FIRST, 1).crashAfter());
        assertThatThrownBy(refused::close)
                .hasMessageContaining("commit 1 of first: crash after it (missed: the commit was refused, ");
        assertThat(refused.trace()).noneMatch(each -> each.toString().endsWith("crashes after a commit"));
    }

    @Test
    void aPointHasOneFaultAndIsAhead() {
        PipelineFaults.AtCommit point = kit.faults().atCommit(FIRST, 1);
        point.loseReply();
        assertThatThrownBy(point::crashAfter)
                .hasMessage("commit 1 of first: has a fault already (expected: one fault)");
        assertThatThrownBy(() -> kit.faults().atCommit(FIRST, 1)).isInstanceOf(IllegalArgumentException.class);
        PipelineFaults.AtAttempt attempt = kit.faults().atAttempt(FIRST, 1);
        attempt.fail("tired");
        assertThatThrownBy(attempt::crash).isInstanceOf(IllegalArgumentException.class);
        run();
        assertThatThrownBy(() -> kit.faults().atCommit(FIRST, 2))
                .hasMessage("commit 2 of first: already passed (expected: 6 or later)");
        assertThatThrownBy(() -> kit.faults().atAttempt(FIRST, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFaultAtAQueueThatNoStageWorksOnIsRefused() {
        assertThatThrownBy(() -> kit.faults().atAttempt(LAST, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("last");
    }

    @Test
    void anUnknownOutcomeIsNoRefusal() {
        assertThatThrownBy(() -> kit.faults().atCommit(FIRST, 1).refuse(ErrorCode.OUTCOME_UNKNOWN))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
