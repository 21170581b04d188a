package io.taskmaster.testkit.pipeline;

import io.taskmaster.stage.worker.task.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a kit. Immutable.
 *
 * @param workers the names of the worker processes
 * @param network the longest time that a message takes
 * @param handling the longest time that a task waits for a thread
 * @param restart the time until a worker that crashed is started again
 * @param faultPercent the percentage of workers' calls that a fault befalls
 * @param crashes the mean life of a worker; absent: it does not crash by chance
 * @param maxDuration the limit on the time until a kit is idle
 * @param maxSteps the limit on the events until a kit is idle
 * @param tracing the tracing of the workers
 */
record KitSettings(
        WorkerProgram program,
        long seed,
        List<String> workers,
        Duration network,
        Duration handling,
        Duration restart,
        int faultPercent,
        Optional<Duration> crashes,
        Duration maxDuration,
        long maxSteps,
        Tracing tracing) {}
