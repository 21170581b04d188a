package io.taskmaster.stage.worker;

import io.taskmaster.client.Timer;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * What a worker gets handed in, so that a test can hand in a simulated world.
 *
 * @param loop runs the short steps of the stages, which never block
 * @param handlers runs handlers, which may block: each at once, for permits bound them
 */
public record Surroundings(
        TaskService tasks, Timer timer, Executor loop, Executor handlers, SplittableGenerator random) {}
