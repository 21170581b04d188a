package io.taskmaster.testkit.pipeline;

import io.taskmaster.stage.worker.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a kit is set up. Immutable.
 *
 * @param workers the names of the worker processes
 * @param network how long a message is under way at most
 * @param handling how long tasks wait for a thread at most
 * @param restart how long a worker that crashed is away
 * @param trouble how many of a hundred calls of workers something happens to
 * @param crashes how long a worker lives, on average; absent: until it is told to die
 * @param longest how much time may pass until a kit is idle
 * @param maxSteps and how many events
 * @param tracing of the workers
 */
record KitSettings(
        WorkerProgram program,
        long seed,
        List<String> workers,
        Duration network,
        Duration handling,
        Duration restart,
        int trouble,
        Optional<Duration> crashes,
        Duration longest,
        long maxSteps,
        Tracing tracing) {}
