package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.stage.Handler;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of tasks that fail, and of those that wait behind them. */
final class WorkerOrderTest extends OneStage {

    private static final RetryPolicy SOON = RetryPolicy.DEFAULT.delays(SHORT, SHORT.multipliedBy(2));
    /** A hand-off that is refused if its PID is queued already. */
    private static final NewTask<String> NEW = OUT.task("x").ifExists(IfExists.FAIL);

    private final List<String> order = new ArrayList<>();

    private static StageBuilder<String> oneAtATime(StageBuilder<String> stage) {
        return stage.perKey(WorkerOrderTest::firstLetter, 1).prefetch(10).retry(SOON);
    }

    private static String firstLetter(Task<String> task) {
        return task.pid().toString().substring(0, 1);
    }

    @Test
    void nothingOvertakesATaskWhoseRefusedHandOffIsLeftForLater() {
        enqueue("a1", "a2");
        tasks.enqueue("out", "a1", "in the way");
        start(stage -> oneAtATime(stage.handler(
                        noted(task -> Outcome.handOff(NEW).otherwise(_ -> Outcome.hold(SHORT, "in the way"))))
                .to(OUT)));
        for (int i = 0; i < 5; i++) {
            runHandlers();
        }
        assertThat(order).startsWith("a1:1", "a1:1").doesNotContain("a2:1");
    }

    @Test
    void keysAtWhichAllFailsDoNotHoldUpTheOthers() {
        for (char key = 'a'; key < 'k'; key++) {
            enqueue(key + "1");
        }
        start(stage -> stage.handler(noted(task ->
                        task.payload().equals("z1") ? Outcome.done() : Outcome.retryAfter(Duration.ofMinutes(5), "no")))
                .perKey(WorkerOrderTest::firstLetter, 1)
                .concurrency(2));
        for (int i = 0; i < 10; i++) {
            runHandlers();
        }
        enqueue("z1");
        runHandlers();
        assertThat(tasks.pids("in")).doesNotContain("z1").hasSize(10);
    }

    @Test
    void whatBreaksTheKeyIsTriedAgainAndNothingElseStandsStill() {
        enqueue("a1", "b1");
        List<String> asked = new ArrayList<>();
        start(stage -> stage.handler(noted(_ -> Outcome.done()))
                .perKey(
                        task -> {
                            asked.add(task.pid().toString());
                            if (asked.size() == 1) {
                                throw new NoClassDefFoundError("gone");
                            }
                            return firstLetter(task);
                        },
                        1)
                .retry(SOON));
        for (int i = 0; i < 10; i++) {
            runHandlers();
        }
        assertThat(order).containsExactly("b1:1", "a1:2");
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(tasks.pids("in.dead")).isEmpty();
    }

    @Test
    void handOffThatTheServerDoesNotKnowYetIsTriedAgain() {
        enqueue("p");
        tasks.refuse(ErrorCode.NOT_SERVED);
        start(stage -> stage.handler(noted(_ -> Outcome.handOff(OUT.task("x"))))
                .to(OUT)
                .retry(SOON));
        for (int i = 0; i < 10; i++) {
            runHandlers();
        }
        assertThat(order).containsExactly("p:1", "p:2");
        assertThat(tasks.pids("out")).containsExactly("p");
    }

    @Test
    void handOffThatNoServerWouldTakeIsDead() {
        enqueue("p");
        tasks.refuse(ErrorCode.INVALID_FIELD);
        start(stage -> stage.handler(noted(_ -> Outcome.handOff(OUT.task("x")))).to(OUT));
        runHandlers();
        runHandlers();
        assertThat(tasks.headers("in.dead", "p")).contains(entry(DeadLetter.REASON, "hand-off: simulated"));
    }

    @Test
    void handOffThatThisWorkerMayNotDoIsSentAgainUntilItMay() {
        enqueue("p");
        tasks.refuse(ErrorCode.UNAUTHENTICATED, ErrorCode.PERMISSION_DENIED);
        start(stage -> stage.handler(noted(_ -> Outcome.handOff(OUT.task("x")))).to(OUT));
        for (int i = 0; i < 10; i++) {
            runHandlers();
        }
        assertThat(order).containsExactly("p:1");
        assertThat(tasks.pids("out")).containsExactly("p");
        assertThat(tasks.pids("in.dead")).isEmpty();
    }

    private void enqueue(String... pids) {
        for (String pid : pids) {
            tasks.enqueue("in", pid, pid);
        }
    }

    private Handler<String> noted(Handler<String> handler) {
        return task -> {
            order.add(task.pid() + ":" + task.attempt());
            return handler.handle(task);
        };
    }
}
