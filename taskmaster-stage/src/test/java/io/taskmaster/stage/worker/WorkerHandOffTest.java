package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.Update.IfExists;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.StageStatus.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the targets of hand-offs, and of the tasks whose hand-offs name another queue. */
final class WorkerHandOffTest extends OneStage {

    private static final TaskQueue<String> NOWHERE = TaskQueue.of("nowhere", Codec.utf8());

    @Test
    void stageThatNamesNoQueuesHandsOnToAnyOfThePipeline() {
        tasks.enqueue("in", "p1", "data");
        tasks.enqueue("in", "p2", "data");
        Worker worker = start(stage -> stage.handler(task -> {
            seen.add(task);
            return Outcome.handOff(seen.size() == 1 ? OUT.task("on") : OTHER.task("on"));
        }));
        runHandlers();
        assertThat(tasks.pids("out")).containsExactly("p1");
        assertThat(tasks.pids("other")).containsExactly("p2");
        assertThat(status(worker).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void handOffThatWasNotDeclaredPausesTheStageAndGivesTheTaskBack() {
        tasks.enqueue("in", "p1", "data");
        tasks.enqueue("in", "p2", "data");
        Worker worker = start(stage -> stage.handler(_ -> Outcome.handOff(OTHER.task("on")))
                .to(OUT)
                .concurrency(1)
                .prefetch(1));
        for (int i = 0; i < 20; i++) {
            runHandlers();
            time.run(Duration.ofMinutes(10));
        }
        assertThat(status(worker).phase()).isEqualTo(Phase.PAUSED);
        assertThat(status(worker).failure())
                .hasValueSatisfying(why -> assertThat(why).contains("hand-off: to other", "out"));
        assertThat(tasks.pids("in")).containsExactly("p1", "p2");
        assertThat(tasks.pids("in.dead")).isEmpty();
        for (String pid : tasks.pids("in")) {
            assertThat(tasks.isReleased("in", pid)).isTrue();
            assertThat(tasks.isOffered("in", pid)).as("to another worker").isTrue();
            assertThat(tasks.attempts("in", pid)).as("no attempt").isZero();
        }
    }

    @Test
    void stageThatHasPausedItselfIsResumedLikeAnyOther() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.handler(task -> {
            seen.add(task);
            return Outcome.handOff(seen.size() == 1 ? NOWHERE.task("on") : OUT.task("on"));
        }));
        runHandlers();
        assertThat(status(worker).phase()).isEqualTo(Phase.PAUSED);
        worker.resume("in");
        runHandlers();
        assertThat(status(worker).failure()).isEmpty();
        assertThat(tasks.pids("out")).containsExactly("p");
    }

    @Test
    void answerToARefusalIsBoundToTheSameQueues() {
        tasks.enqueue("in", "p", "data");
        tasks.enqueue("out", "p", "taken");
        Worker worker =
                start(stage -> stage.handler(_ -> Outcome.handOff(OUT.task("on").ifExists(IfExists.FAIL))
                        .otherwise(_ -> Outcome.handOff(NOWHERE.task("on")))));
        runHandlers();
        runHandlers();
        assertThat(status(worker).phase()).isEqualTo(Phase.PAUSED);
        assertThat(tasks.attempts("in", "p")).isZero();
    }

    @Test
    void postponedTaskIsGivenBackForLaterAndFreesItsPermit() {
        tasks.enqueue("in", "p1", "data");
        tasks.enqueue("in", "p2", "data");
        tasks.enqueue("in", "p3", "data");
        Worker worker = start(stage -> stage.handler(task -> {
                    seen.add(task);
                    return seen.size() <= 2 ? Outcome.postpone(Duration.ofDays(1), "tomorrow") : Outcome.done();
                })
                .concurrency(2));
        runHandlers();
        runHandlers();
        assertThat(tasks.pids("in")).as("the third is done").containsExactly("p1", "p2");
        assertThat(tasks.isReleased("in", "p1")).isTrue();
        assertThat(tasks.isOffered("in", "p1")).isFalse();
        assertThat(tasks.attempts("in", "p1")).isZero();
        assertThat(status(worker).postponed()).isEqualTo(2);
        assertThat(status(worker).retried()).isZero();
        assertThat(status(worker).lastFailure()).contains("tomorrow");

        time.run(Duration.ofDays(1));
        runHandlers();
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(seen.getLast().attempt()).isEqualTo(1);
    }

    @Test
    void holdAsLongAsALeaseIsAPostponement() {
        for (int i = 0; i < 4; i++) {
            tasks.enqueue("in", "p" + i, "data");
        }
        Worker worker = start(stage -> stage.handler(task -> {
                    seen.add(task);
                    return seen.size() <= 2
                            ? Outcome.hold(seen.size() == 1 ? Duration.ofDays(1) : LEASE, "not now")
                            : Outcome.done();
                })
                .concurrency(2)
                .lease(LEASE));
        for (int i = 0; i < 4; i++) {
            runHandlers();
        }
        assertThat(tasks.pids("in")).as("two do not stop a stage of two").containsExactly("p0", "p1");
        assertThat(status(worker).postponed()).isEqualTo(2);
    }

    @Test
    void holdShorterThanALeaseKeepsTheTask() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.handler(task -> {
                    seen.add(task);
                    return seen.size() == 1 ? Outcome.hold(LEASE.minusMillis(1), "not now") : Outcome.done();
                })
                .lease(LEASE));
        runHandlers();
        assertThat(tasks.isLeased("in", "p")).isTrue();
        time.run(LEASE);
        runHandlers();
        assertThat(tasks.leases()).isEqualTo(1);
        assertThat(status(worker).done()).isEqualTo(1);
    }
}
