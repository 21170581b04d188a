package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Outcome.HandOff;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the number of tasks that are leased and worked on at once, of their order, and of their rate. */
final class WorkerLimitsTest extends OneStage {

    private static final RetryPolicy IN_SECONDS = RetryPolicy.DEFAULT.delays(SHORT, SHORT.multipliedBy(10));

    @Test
    void noMoreIsLeasedThanThereArePermitsFor() {
        for (int i = 0; i < 10; i++) {
            tasks.enqueue("in", "p" + i, "data");
        }
        start(stage -> stage.handler(_ -> Outcome.done()).concurrency(2).prefetch(1));
        time.run(SHORT);

        assertThat(tasks.pids("in"))
                .filteredOn(pid -> tasks.isLeased("in", pid))
                .hasSize(3);
        assertThat(handlers).hasSize(2);

        handlers.remove().run();
        time.run(SHORT);
        assertThat(tasks.pids("in"))
                .hasSize(9)
                .filteredOn(pid -> tasks.isLeased("in", pid))
                .hasSize(3);
    }

    @Test
    void tasksOfAKeyAreDoneInTheirOrderThoughOneIsTriedAgain() {
        List<String> order = new ArrayList<>();
        for (String pid : List.of("a1", "a2", "a3", "b1")) {
            tasks.enqueue("in", pid, "data");
        }
        Worker worker = start(stage -> stage.handler(task -> {
                    order.add(task.pid() + ":" + task.attempt());
                    return task.pid().equals(Pid.of("a1")) && task.attempt() < 3 ? Outcome.retry("no") : Outcome.done();
                })
                .perKey(lease -> lease.pid().toString().substring(0, 1), 1)
                .prefetch(10)
                .retry(IN_SECONDS));
        for (int i = 0; i < 60; i++) {
            runHandlers();
        }

        assertThat(order).containsExactly("a1:1", "b1:1", "a1:2", "a1:3", "a2:1", "a3:1");
        assertThat(status(worker).done()).isEqualTo(4);
        assertThat(status(worker).retried()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void taskWhoseHandOffIsRefusedIsNotOvertaken(boolean isAnswered) {
        tasks.enqueue("in", "a1", "data");
        tasks.enqueue("in", "a2", "data");
        tasks.enqueue("out", "taken", "data");
        List<String> order = new ArrayList<>();
        HandOff plain = Outcome.handOff(OUT.task("x").at("taken").ifExists(IfExists.FAIL));
        HandOff refused = isAnswered ? plain.otherwise(_ -> Outcome.retry("taken")) : plain;
        start(stage -> stage.handler(task -> {
                    order.add(task.pid() + ":" + task.attempt());
                    return order.size() > 2 ? Outcome.done() : refused;
                })
                .to(OUT)
                .perKey(_ -> "key", 1)
                .prefetch(10)
                .retry(IN_SECONDS));
        for (int i = 0; i < 60; i++) {
            runHandlers();
        }

        assertThat(order).containsExactly("a1:1", "a1:2", "a1:3", "a2:1");
        assertThat(tasks.pids("in")).isEmpty();
    }

    @Test
    void oneTaskOfAQueueAtATimeIsNotOvertakenWhileItIsTriedAgain() {
        tasks.enqueue("in", "a1", "data");
        tasks.enqueue("in", "a2", "data");
        List<String> order = new ArrayList<>();
        start(stage -> stage.handler(task -> {
                    order.add(task.pid() + ":" + task.attempt());
                    return order.size() > 2 ? Outcome.done() : Outcome.retry("no");
                })
                .maxPerQueue(1)
                .retry(IN_SECONDS));
        for (int i = 0; i < 60; i++) {
            runHandlers();
        }

        assertThat(order).containsExactly("a1:1", "a1:2", "a1:3", "a2:1");
        assertThat(tasks.pids("in")).isEmpty();
    }

    @Test
    void taskThatRestsInItsPlaceIsGivenBackByADrainAndForgottenWhenItIsLost() {
        tasks.enqueue("in", "a", "data");
        tasks.enqueue("in", "b", "data");
        Worker worker = start(stage -> stage.handler(_ -> Outcome.retryAfter(Duration.ofHours(1), "later"))
                .lease(LEASE)
                .perKey(lease -> lease.pid().toString(), 1));
        runHandlers();
        tasks.steal("in", "a");
        time.run(LEASE);
        assertThat(status(worker).lost()).isEqualTo(1);

        CompletableFuture<Void> drained = worker.drain(Duration.ofMinutes(1));
        time.run(SHORT);
        assertThat(tasks.isLeased("in", "b")).isFalse();
        // The task was available again, and failed again.
        assertThat(tasks.isLeased("in", "a")).isTrue();
        runHandlers();
        assertThat(drained).isCompleted();
        assertThat(tasks.isLeased("in", "a")).isFalse();
    }

    @Test
    void tasksGoToHandlersAtTheirRate() {
        for (int i = 0; i < 100; i++) {
            tasks.enqueue("in", "p%02d".formatted(i), "data");
        }
        start(stage -> stage.handler(_ -> Outcome.done()).concurrency(100).rate(new Rate(10, 5)));
        time.run(SHORT);
        assertThat(handlers).hasSizeBetween(14, 15);
        time.run(Duration.ofSeconds(3));
        assertThat(handlers).hasSizeBetween(44, 45);
    }

    @Test
    void taskWhosePidIsADueTimeIsLeasedWhenItIsDue() {
        for (int due : List.of(30, 10, 20)) {
            tasks.enqueue("in", "%04d".formatted(due), "data");
        }
        start(stage -> stage.handler(_ -> Outcome.done())
                .maxPid(now -> Pid.of("%04d".formatted(now.getEpochSecond())))
                .maxWait(SHORT));
        time.run(Duration.ofSeconds(9));
        assertThat(handlers).isEmpty();

        time.run(Duration.ofSeconds(3));
        assertThat(tasks.isLeased("in", "0010")).isTrue();
        assertThat(handlers).hasSize(1);

        time.run(Duration.ofSeconds(20));
        assertThat(handlers).hasSize(3);
    }

    @Test
    void stageThatCannotSayUpToWhichPidSaysWhyAndGoesOn() {
        tasks.enqueue("in", "p", "data");
        List<String> asked = new ArrayList<>();
        Worker worker = start(stage -> stage.handler(_ -> Outcome.done()).maxPid(_ -> {
            asked.add("");
            if (asked.size() < 3) {
                throw new IllegalStateException("no clock");
            }
            return Pid.of("z");
        }));
        time.run(SHORT.dividedBy(2));
        assertThat(status(worker).trouble().orElseThrow()).contains("no clock");

        time.run(Duration.ofSeconds(5));
        assertThat(handlers).hasSize(1);
        assertThat(status(worker).trouble()).isEmpty();
    }

    @Test
    void taskWithoutAKeyIsDead() {
        tasks.enqueue("in", "p", "data");
        start(stage -> stage.handler(_ -> Outcome.done())
                .perKey(lease -> lease.headers().get("key"), 1));
        time.run(SHORT);

        assertThat(tasks.headers("in.dead", "p"))
                .contains(entry(DeadLetter.REASON, "key: none (expected: a key for each task)"));
    }
}
