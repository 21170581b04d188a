package io.taskmaster.testkit.pipeline;

import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.TaskQueue;
import java.time.Duration;

/** A pipeline of two steps, used by several tests. */
public final class Steps {

    public static final TaskQueue<String> FIRST = TaskQueue.of("first", Codec.utf8());
    public static final TaskQueue<String> SECOND = TaskQueue.of("second", Codec.utf8());
    public static final TaskQueue<String> LAST = TaskQueue.of("last", Codec.utf8());

    /**
     * The pipeline: it doubles the payload, and then appends an exclamation mark; an empty payload becomes a dead
     * letter.
     */
    public static final Pipeline PIPELINE = Pipeline.in("steps")
            .stage(
                    FIRST,
                    stage -> stage.handler(task -> Outcome.handOff(SECOND.task(task.payload() + task.payload())))
                            .to(SECOND)
                            .retry(RetryPolicy.DEFAULT.maxAttempts(30)))
            .stage(
                    SECOND,
                    stage -> stage.handler(task -> task.payload().isEmpty()
                                    ? Outcome.dead("nothing")
                                    : Outcome.handOff(LAST.task(task.payload() + "!")))
                            .to(LAST)
                            .retry(RetryPolicy.DEFAULT.maxAttempts(30)))
            .sinks(LAST)
            .build();

    private Steps() {}

    /** Returns a pipeline of one stage with the same outcome for every task. */
    static Pipeline alone(Outcome outcome) {
        return Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.handler(_ -> outcome)
                                .to(FIRST, LAST)
                                .retry(RetryPolicy.DEFAULT
                                        .maxAttempts(3)
                                        .delays(Duration.ofMinutes(1), Duration.ofMinutes(10))))
                .sinks(LAST)
                .build();
    }

    public static void enqueue(PipelineKit kit, int tasks) {
        for (int i = 0; i < tasks; i++) {
            kit.enqueue(FIRST.task("t" + i).at("%03d".formatted(i)));
        }
    }
}
