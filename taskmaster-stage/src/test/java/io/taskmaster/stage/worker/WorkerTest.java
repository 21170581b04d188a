package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.BatchHandler;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Handler;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.StageStatus.Phase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** One worker with one stage, in simulated time; handlers run when the test says so. */
final class WorkerTest {

    private static final TaskQueue<String> IN = TaskQueue.of("in", Codec.utf8());
    private static final TaskQueue<String> OUT = TaskQueue.of("out", Codec.utf8());
    private static final TaskQueue<String> OTHER = TaskQueue.of("other", Codec.utf8());
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    private final SimulatedTasks tasks = new SimulatedTasks(time, new SplittableRandom(2));
    private final Deque<Runnable> handlers = new ArrayDeque<>();
    private final List<Task<String>> seen = new ArrayList<>();

    @Test
    void taskIsHandedOffWithItsDequeue() {
        tasks.enqueue("in", "p", "data");
        Worker worker = startWith(task -> Outcome.handOff(OUT.task(task.payload() + "!")));
        runHandlers();

        assertThat(tasks.pids("in")).isEmpty();
        assertThat(tasks.data("out", "p")).isEqualTo("data!");
        assertThat(status(worker).done()).isEqualTo(1);
        assertThat(status(worker).handedOn()).isEqualTo(1);
    }

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
    void failureIsTriedAgainWithBackOffUntilTheTaskIsDead() {
        tasks.enqueue("in", "p", "data");
        start(stage -> stage.handler(_ -> {
                    throw new IllegalStateException("broken");
                })
                .retry(RetryPolicy.DEFAULT.maxAttempts(3).delays(SHORT, SHORT.multipliedBy(2))));
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(tasks.pids("in")).containsExactly("p");
            time.run(Duration.ofSeconds(5));
            runHandlers();
        }

        assertThat(tasks.pids("in")).isEmpty();
        assertThat(tasks.data("in.dead", "p")).isEqualTo("data");
        assertThat(tasks.headers("in.dead", "p"))
                .contains(
                        entry(DeadLetter.REASON, "java.lang.IllegalStateException: broken"),
                        entry(DeadLetter.ORIGIN, "in"),
                        entry(DeadLetter.ATTEMPTS, "3"));
    }

    @Test
    void taskThatKillsItsWorkersIsRecognisedByItsAttempts() {
        tasks.enqueue("in", "p", "data");
        RetryPolicy twice = RetryPolicy.DEFAULT.maxAttempts(2);
        for (int i = 0; i < 2; i++) {
            new SimulatedWorker(
                            pipeline(stage -> stage.handler(_ -> Outcome.done())
                                    .lease(LEASE)
                                    .retry(twice)),
                            time,
                            tasks,
                            new SplittableRandom(i),
                            Duration.ofDays(1))
                    .dieAfter(SHORT);
            time.run(LEASE.multipliedBy(2));
        }
        start(stage -> stage.handler(_ -> Outcome.done()).retry(twice));
        time.run(SHORT);

        assertThat(handlers).isEmpty();
        assertThat(tasks.headers("in.dead", "p")).contains(entry(DeadLetter.REASON, "leased in vain 2 times"));
    }

    @Test
    void dataThatCannotBeReadIsDeadAtOnce() {
        tasks.enqueue("in", "p", "data");
        TaskQueue<Integer> numbers = TaskQueue.of("in", Codec.text(String::valueOf, Integer::valueOf));
        start(Pipeline.in("g")
                .stage(numbers, stage -> stage.handler(_ -> Outcome.done()))
                .build());
        runHandlers();

        assertThat(tasks.headers("in.dead", "p").get(DeadLetter.REASON)).startsWith("data: cannot be read");
    }

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
        time.run(Duration.ofMinutes(1).plus(StageRunner.LAST_WORDS));

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
    void refusedHandOffIsAnsweredByItsAuthor() {
        tasks.enqueue("in", "p", "data");
        tasks.enqueue("other", "known", "data");
        start(stage -> stage.handler(_ -> Outcome.handOff(
                                OTHER.task("x").at("known").ifExists(IfExists.FAIL),
                                OUT.task("new").at("new"))
                        .otherwise(refusal -> {
                            assertThat(refusal.tasks())
                                    .extracting(NewTask::payload)
                                    .isEqualTo(List.of("x"));
                            assertThat(refusal.pids()).containsExactly(Pid.of("known"));
                            return Outcome.handOff(OUT.task("new").at("new"));
                        }))
                .to(OUT, OTHER));
        runHandlers();
        runHandlers();

        assertThat(tasks.pids("in")).isEmpty();
        assertThat(tasks.pids("out")).containsExactly("new");
        assertThat(tasks.data("other", "known")).isEqualTo("data");
    }

    @Test
    void handOffToAStrangerIsRefusedHere() {
        tasks.enqueue("in", "p", "data");
        start(stage ->
                stage.handler(_ -> Outcome.handOff(OTHER.task("x"))).to(OUT).retry(RetryPolicy.DEFAULT.maxAttempts(1)));
        runHandlers();

        assertThat(tasks.pids("other")).isEmpty();
        assertThat(tasks.headers("in.dead", "p").get(DeadLetter.REASON)).contains("hand-off: to other");
    }

    @Test
    void twoTasksOfOneNameAreAMistake() {
        tasks.enqueue("in", "p", "data");
        start(stage -> stage.handler(_ -> Outcome.handOff(OUT.task("x"), OUT.task("y")))
                .to(OUT)
                .retry(RetryPolicy.DEFAULT.maxAttempts(1)));
        runHandlers();

        assertThat(tasks.pids("out")).isEmpty();
        assertThat(tasks.headers("in.dead", "p").get(DeadLetter.REASON)).contains("two tasks for queue out");
    }

    @Test
    void batchIsAnsweredItemByItem() {
        for (int i = 0; i < 4; i++) {
            tasks.enqueue("in", "p" + i, "data");
        }
        BatchHandler<String> some = (batch, finish) -> {
            finish.with(batch.get(2), Outcome.done());
            finish.with(batch.get(0), Outcome.dead("no use"));
            finish.with(batch.get(0), Outcome.done());
        };
        start(stage -> stage.batchHandler(4, some).concurrency(1));
        time.run(SHORT);
        handlers.remove().run();
        time.run(Duration.ofMillis(100));

        assertThat(tasks.pids("in")).containsExactly("p1", "p3");
        assertThat(tasks.pids("in.dead")).containsExactly("p0");
    }

    @Test
    void stageThatFailsAtEverythingRetriesLessAndLess() {
        int many = RetryPolicy.BURST + 50;
        for (int i = 0; i < many; i++) {
            tasks.enqueue("in", "p%03d".formatted(i), "data");
        }
        Duration longest = Duration.ofHours(1);
        start(stage -> stage.handler(_ -> Outcome.retry("no"))
                .concurrency(many)
                .retry(RetryPolicy.DEFAULT.delays(Duration.ZERO, longest)));
        runHandlers();
        time.run(SHORT);

        assertThat(tasks.pids("in"))
                .filteredOn(pid -> tasks.attempts("in", pid) > 1)
                .hasSize(RetryPolicy.BURST);
    }

    @Test
    void traceGoesOnWithTheTask() {
        tasks.enqueue("in", "p", "data", Map.of("traceparent", "00-1", "tracestate", "a=b", "mine", "1"));
        tasks.enqueue("in", "q", "data", Map.of("traceparent", "00-1"));
        startWith(task -> Outcome.handOff(
                task.pid().equals(Pid.of("p")) ? OUT.task("x") : OUT.task("x").headers(Map.of("traceparent", "00-2"))));
        runHandlers();

        assertThat(tasks.headers("out", "p")).isEqualTo(Map.of("traceparent", "00-1", "tracestate", "a=b"));
        assertThat(tasks.headers("out", "q")).isEqualTo(Map.of("traceparent", "00-2"));
    }

    @Test
    void codecThatBreaksIsAFailureOfTheTaskAlone() {
        TaskQueue<String> broken = TaskQueue.of(
                "broken",
                Codec.of(
                        text -> {
                            throw new StackOverflowError(text);
                        },
                        Bytes::toString));
        tasks.enqueue("in", "p", "data");
        start(Pipeline.in("g")
                .stage(
                        IN,
                        stage -> stage.handler(_ -> Outcome.handOff(broken.task("deep")))
                                .to(broken)
                                .retry(RetryPolicy.DEFAULT.maxAttempts(1)))
                .sinks(broken)
                .build());
        runHandlers();

        assertThat(tasks.headers("in.dead", "p").get(DeadLetter.REASON)).contains("StackOverflowError: deep");
    }

    @Test
    void nullsAreAnswered() {
        TaskQueue<String> nothing = TaskQueue.of("nothing", Codec.of(_ -> nil(), Bytes::toString));
        for (String pid : List.of("outcome", "reason", "codec")) {
            tasks.enqueue("in", pid, "data");
        }
        start(Pipeline.in("g")
                .stage(
                        IN,
                        stage -> stage.handler(task -> switch (task.pid().toString()) {
                                    case "outcome" -> nil();
                                    case "reason" -> Outcome.dead(nil());
                                    default -> Outcome.handOff(nothing.task("x"));
                                })
                                .to(nothing)
                                .retry(RetryPolicy.DEFAULT.maxAttempts(1)))
                .sinks(nothing)
                .build());
        runHandlers();

        assertThat(tasks.pids("in")).isEmpty();
        assertThat(tasks.headers("in.dead", "reason")).contains(entry(DeadLetter.REASON, Outcome.NO_REASON));
        assertThat(tasks.headers("in.dead", "outcome").get(DeadLetter.REASON)).contains("no outcome");
        assertThat(tasks.headers("in.dead", "codec").get(DeadLetter.REASON)).contains("as the codec of the queue");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"
    }) // What an application without null checks may hand in.
    private static <T> T nil() {
        return null;
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
    void whatADrainedCallBringsIsGivenBack() {
        Worker worker = startWith(_ -> Outcome.done());
        time.run(SHORT);
        tasks.enqueue("in", "p", "data");
        CompletableFuture<Void> drained = worker.drain(Duration.ofMinutes(1));
        time.run(SHORT);

        assertThat(drained).isCompleted();
        assertThat(tasks.attempts("in", "p")).isEqualTo(1);
        assertThat(tasks.isLeased("in", "p")).isFalse();
    }

    @Test
    void expiredLeaseIsNoReasonToThrowAnOutcomeAway() {
        tasks.enqueue("in", "p", "data");
        Worker worker = startWith(_ -> Outcome.handOff(OUT.task("x")));
        time.run(SHORT);
        tasks.trouble(100);
        handlers.remove().run();
        time.run(Duration.ofMinutes(5));
        assertThat(tasks.pids("out")).isEmpty();

        worker.pause("in");
        tasks.trouble(0);
        time.run(Duration.ofMinutes(1));
        assertThat(tasks.pids("out")).containsExactly("p");
        assertThat(status(worker).done()).isEqualTo(1);
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
                .retry(RetryPolicy.DEFAULT.delays(SHORT, SHORT.multipliedBy(10))));
        for (int i = 0; i < 60; i++) {
            runHandlers();
        }

        assertThat(order).containsExactly("a1:1", "b1:1", "a1:2", "a1:3", "a2:1", "a3:1");
        assertThat(status(worker).done()).isEqualTo(4);
        assertThat(status(worker).retried()).isEqualTo(2);
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
        // It was offered again, and fails again.
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
    void taskWithoutAKeyIsDead() {
        tasks.enqueue("in", "p", "data");
        start(stage -> stage.handler(_ -> Outcome.done())
                .perKey(lease -> lease.headers().get("key"), 1));
        time.run(SHORT);

        assertThat(tasks.headers("in.dead", "p"))
                .contains(entry(DeadLetter.REASON, "key: none (expected: one for each task)"));
    }

    private Worker startWith(Handler<String> handler) {
        return start(stage -> stage.handler(handler).to(OUT));
    }

    private Worker start(UnaryOperator<StageBuilder<String>> settings) {
        return start(pipeline(settings));
    }

    private static Pipeline pipeline(UnaryOperator<StageBuilder<String>> settings) {
        return Pipeline.in("g")
                .stage(IN, stage -> {
                    StageBuilder<String> _ = settings.apply(stage);
                })
                .sinks(OUT, OTHER)
                .build();
    }

    private Worker start(Pipeline pipeline) {
        return Worker.start(
                pipeline,
                new Surroundings(
                        tasks.service(time, () -> true),
                        time,
                        time.executor(() -> 0, () -> true),
                        handlers::add,
                        new SplittableRandom(3)));
    }

    private void runHandlers() {
        time.run(SHORT);
        for (int i = handlers.size(); i > 0; i--) {
            handlers.remove().run();
        }
        time.run(SHORT);
    }

    private StageStatus status(Worker worker) {
        CompletableFuture<List<StageStatus>> status = worker.status();
        time.run(Duration.ZERO);
        return status.join().getFirst();
    }
}
