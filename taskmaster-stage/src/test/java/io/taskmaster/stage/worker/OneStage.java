package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Handler;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** A worker with one stage, in simulated time. Handlers run when the test runs them. */
public abstract class OneStage {

    static final TaskQueue<String> IN = TaskQueue.of("in", Codec.utf8());
    public static final TaskQueue<String> OUT = TaskQueue.of("out", Codec.utf8());
    static final TaskQueue<String> OTHER = TaskQueue.of("other", Codec.utf8());
    public static final Duration LEASE = Duration.ofSeconds(30);
    public static final Duration SHORT = Duration.ofSeconds(1);

    public final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    public final SimulatedTasks tasks = new SimulatedTasks(time, new SplittableRandom(2));
    public final Deque<Runnable> handlers = new ArrayDeque<>();
    final List<Task<String>> seen = new ArrayList<>();

    Worker startWith(Handler<String> handler) {
        return start(stage -> stage.handler(handler).to(OUT));
    }

    Worker start(UnaryOperator<StageBuilder<String>> settings) {
        return start(pipeline(settings));
    }

    Worker start(Pipeline pipeline) {
        return Worker.start(pipeline, world());
    }

    public WorkerEnvironment world() {
        return new WorkerEnvironment(
                tasks.service(time, () -> true),
                time,
                time.executor(() -> 0, () -> true),
                handlers::add,
                new SplittableRandom(3));
    }

    public static Pipeline pipeline(UnaryOperator<StageBuilder<String>> settings) {
        return Pipeline.in("g")
                .stage(IN, stage -> {
                    StageBuilder<String> _ = settings.apply(stage);
                })
                .sinks(OUT, OTHER)
                .build();
    }

    public void runHandlers() {
        time.run(SHORT);
        for (int i = handlers.size(); i > 0; i--) {
            handlers.remove().run();
        }
        time.run(SHORT);
    }

    @AfterEach
    void nothingWasCommittedForALeaseThatWasKnownToBeLost() {
        assertThat(tasks.known().inVain()).isEmpty();
    }

    public StageStatus status(Worker worker) {
        CompletableFuture<List<StageStatus>> status = worker.status();
        time.run(Duration.ZERO);
        return status.join().getFirst();
    }
}
