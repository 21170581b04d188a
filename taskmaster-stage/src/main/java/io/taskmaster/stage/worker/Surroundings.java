package io.taskmaster.stage.worker;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.guard.Guard;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * What a worker gets handed in, so that a test can hand in a simulated world.
 *
 * @param loop runs the short steps of the stages, which never block
 * @param handlers runs handlers, which may block: each at once, for permits bound them
 * @param tracing follows tasks
 * @param times hears how long tasks wait and handlers take; absent: nothing is measured
 */
public record Surroundings(
        TaskService tasks,
        Timer timer,
        Executor loop,
        Executor handlers,
        SplittableGenerator random,
        Tracing tracing,
        Optional<TaskTimes> times) {

    /** Where nothing is measured. */
    public Surroundings(
            TaskService tasks,
            Timer timer,
            Executor loop,
            Executor handlers,
            SplittableGenerator random,
            Tracing tracing) {
        this(tasks, timer, loop, handlers, random, tracing, Optional.empty());
    }

    /** Where nobody follows tasks. */
    public Surroundings(TaskService tasks, Timer timer, Executor loop, Executor handlers, SplittableGenerator random) {
        this(tasks, timer, loop, handlers, random, Tracing.NONE);
    }

    /** The same, with somebody who hears how long tasks wait and handlers take. Without, nothing is measured. */
    public Surroundings timed(TaskTimes hears) {
        return new Surroundings(tasks, timer, loop, handlers, random, tracing, Optional.of(hears));
    }

    /** Who follows the calls of one stage, of which nothing throws. */
    Tracing tracing(Guard guard) {
        Tracing guarded = GuardedTracing.of(tracing, guard);
        return times.<Tracing>map(hears -> new TimedCalls(guarded, hears, timer, guard))
                .orElse(guarded);
    }
}
