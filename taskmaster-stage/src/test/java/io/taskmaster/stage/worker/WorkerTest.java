package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.BatchHandler;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.TaskQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of the effect of each outcome on a task. */
final class WorkerTest extends OneStage {

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
        assertThat(tasks.headers("in.dead", "p"))
                .contains(entry(DeadLetter.REASON, "leased 2 times without an outcome"));
    }

    @Test
    void dataThatCannotBeReadIsDeadAtOnce() {
        tasks.enqueue("in", "p", "data");
        TaskQueue<Integer> numbers = TaskQueue.of("in", Codec.text(String::valueOf, Integer::valueOf));
        start(Pipeline.in("g")
                .stage(numbers, stage -> stage.handler(_ -> Outcome.done()))
                .build());
        runHandlers();

        assertThat(tasks.headers("in.dead", "p").get(DeadLetter.REASON)).startsWith("data: cannot be decoded");
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
        assertThat(tasks.headers("in.dead", "codec").get(DeadLetter.REASON)).contains("from the codec of the queue");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"
    }) // What an application without null checks may hand in.
    private static <T> T nil() {
        return null;
    }
}
