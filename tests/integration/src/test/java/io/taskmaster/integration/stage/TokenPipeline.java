package io.taskmaster.integration.stage;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.Worker;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A pipeline in which tokens pass three stages, one of them a family of queues and one with batches, to a queue where
 * they stay. Each leaves a receipt without a PID of its own there. Nothing makes receipts unique except that the
 * hand-off is committed once.
 */
final class TokenPipeline {

    static final GroupName GROUP = GroupName.of("tokens");
    static final TaskQueue<String> FIRST = TaskQueue.of("first", Codec.utf8());
    static final TaskQueue<String> SECOND = TaskQueue.family("second", Codec.utf8());
    static final TaskQueue<String> THIRD = TaskQueue.of("third", Codec.utf8());
    static final TaskQueue<String> LAST = TaskQueue.of("last", Codec.utf8());
    static final TaskQueue<String> RECEIPTS = TaskQueue.of("receipts", Codec.utf8());
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final int MEMBERS = 3;
    private static final int FAILURES_PERCENT = 5;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** A policy that does not give tasks up: tasks whose workers are killed all the time must not count as poison. */
    private static final RetryPolicy PATIENT =
            RetryPolicy.DEFAULT.maxAttempts(1_000).delays(Duration.ofMillis(10), Duration.ofMillis(500));

    private TokenPipeline() {}

    static Pipeline pipeline() {
        return Pipeline.in(GROUP)
                .stage(
                        FIRST,
                        stage -> shaped(stage)
                                .handler(task -> work(task, Outcome.handOff(SECOND.task(member(task), task.payload()))))
                                .to(SECOND))
                .stage(
                        SECOND,
                        stage -> shaped(stage)
                                .batchHandler(8, (batch, finish) -> {
                                    for (Task<String> task : batch) {
                                        finish.with(task, work(task, Outcome.handOff(THIRD.task(task.payload()))));
                                    }
                                })
                                .to(THIRD))
                .stage(
                        THIRD,
                        stage -> shaped(stage)
                                .handler(task -> work(
                                        task,
                                        Outcome.handOff(
                                                LAST.task(task.payload()),
                                                RECEIPTS.task(task.payload()).last())))
                                .to(LAST, RECEIPTS))
                .sinks(LAST, RECEIPTS)
                .build();
    }

    private static StageBuilder<String> shaped(StageBuilder<String> stage) {
        return stage.concurrency(4).prefetch(4).lease(LEASE).retry(PATIENT);
    }

    private static String member(Task<String> task) {
        return Integer.toString(Math.floorMod(task.payload().hashCode(), MEMBERS));
    }

    private static Outcome work(Task<String> task, Outcome outcome) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(20));
        if (!task.payload().equals(task.pid().toString())) {
            return Outcome.dead("a token of another name");
        }
        return ThreadLocalRandom.current().nextInt(100) < FAILURES_PERCENT ? Outcome.retry("planted") : outcome;
    }

    /**
     * Runs a worker process until it is killed or shut down.
     *
     * @param arguments the address of the server
     */
    public static void main(String[] arguments) {
        try (TaskMasterClient client = TaskMasterClient.builder(arguments[0])
                        .deadline(DEADLINE)
                        .build();
                Worker worker = Worker.start(pipeline(), client)) {
            worker.untilShutdown(Worker.DEFAULT_DRAIN);
        }
    }
}
