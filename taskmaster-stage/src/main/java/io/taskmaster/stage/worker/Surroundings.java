package io.taskmaster.stage.worker;

import io.taskmaster.client.Timer;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * What a worker gets handed in, so that a test can hand in a simulated world.
 *
 * @param loop runs the short steps of the stages, which never block
 * @param handlers runs handlers, which may block: each at once, for permits bound them
 * @param tracing who follows tasks
 */
public record Surroundings(
        TaskService tasks, Timer timer, Executor loop, Executor handlers, SplittableGenerator random, Tracing tracing) {

    /** Where nobody follows tasks. */
    public Surroundings(TaskService tasks, Timer timer, Executor loop, Executor handlers, SplittableGenerator random) {
        this(tasks, timer, loop, handlers, random, Tracing.NONE);
    }

    /** The same, with somebody who hears how long tasks wait and handlers take. Without, nothing is measured. */
    public Surroundings timed(TaskTimes times) {
        return new Surroundings(tasks, timer, loop, handlers, random, new TimedCalls(tracing, times, timer));
    }
}
