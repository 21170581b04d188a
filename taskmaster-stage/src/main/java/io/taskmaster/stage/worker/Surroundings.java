package io.taskmaster.stage.worker;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.guard.Guard;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * What a worker gets handed in, so that a test can hand in a simulated world.
 *
 * @param loop runs the short steps of the stages, which never block
 * @param handlers runs handlers, which may block: each at once, for permits bound them
 * @param computing runs handlers of stages that compute: some at once, for processors bound them
 * @param tracing follows tasks
 * @param times hears how long tasks wait and handlers take; absent: nothing is measured
 */
public record Surroundings(
        TaskService tasks,
        Timer timer,
        Executor loop,
        Executor handlers,
        Executor computing,
        SplittableGenerator random,
        Tracing tracing,
        Optional<TaskTimes> times) {

    /** Where all handlers run alike, and nothing is measured. */
    public Surroundings(
            TaskService tasks,
            Timer timer,
            Executor loop,
            Executor handlers,
            SplittableGenerator random,
            Tracing tracing) {
        this(tasks, timer, loop, handlers, handlers, random, tracing, Optional.empty());
    }

    /** Where nobody follows tasks. */
    public Surroundings(TaskService tasks, Timer timer, Executor loop, Executor handlers, SplittableGenerator random) {
        this(tasks, timer, loop, handlers, random, Tracing.NONE);
    }

    /** The same, with somebody who hears how long tasks wait and handlers take. Without, nothing is measured. */
    public Surroundings timed(TaskTimes hears) {
        return new Surroundings(tasks, timer, loop, handlers, computing, random, tracing, Optional.of(hears));
    }

    /** What runs the handler of a stage. */
    Executor handlersOf(Stage<?> stage) {
        return stage.settings().isComputing() ? computing : handlers;
    }

    /** Who follows the calls of one stage, of which nothing throws. */
    Tracing tracing(Guard guard) {
        Tracing guarded = GuardedTracing.of(tracing, guard);
        return times.<Tracing>map(hears -> new TimedCalls(guarded, hears, timer, guard))
                .orElse(guarded);
    }
}
