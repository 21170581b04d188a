package io.taskmaster.stage.worker;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.worker.task.TaskService;
import io.taskmaster.stage.worker.task.TaskTimes;
import io.taskmaster.stage.worker.task.Tracing;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The runtime of a pipeline in this process: each stage leases tasks, passes them to its handler, and commits the
 * outcomes, until the worker is closed. Any number of workers, in any number of processes, may run the same stages.
 * Thread-safe.
 */
public final class Worker implements AutoCloseable {

    /** The time that {@link #close} gives handlers to finish: 25 s. */
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(25);

    /** The time that a main method has to end after a drain. */
    private static final Duration LAST_STEPS = Duration.ofSeconds(3);

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Map<String, StageRunner<?>> stages = new LinkedHashMap<>();

    private Worker(Pipeline pipeline, WorkerEnvironment environment) {
        for (Stage<?> stage : pipeline.stages()) {
            stages.put(stage.name(), new StageRunner<>(stage, pipeline, environment));
        }
        stages.values().forEach(StageRunner::resume);
    }

    /**
     * Starts all stages of a pipeline. Handlers run on virtual threads. Those of
     * {@linkplain io.taskmaster.stage.StageBuilder#computing computing} stages run on platform threads, as many as
     * processors. Does not block.
     *
     * @param client stays open; the caller closes it after this worker
     */
    public static Worker start(Pipeline pipeline, TaskMasterClient client) {
        return start(pipeline, client, Tracing.NONE);
    }

    /**
     * Starts all stages of a pipeline, with tracing of its tasks.
     *
     * @param client stays open; the caller closes it after this worker
     */
    public static Worker start(Pipeline pipeline, TaskMasterClient client, Tracing tracing) {
        return start(pipeline, environmentOf(client, tracing));
    }

    /**
     * Starts all stages of a pipeline, with tracing and with a listener to the times that tasks wait and handlers take.
     * The listener costs some reads of the clock.
     *
     * @param client stays open; the caller closes it after this worker
     * @param tracing {@link Tracing#NONE} for none
     */
    public static Worker start(Pipeline pipeline, TaskMasterClient client, Tracing tracing, TaskTimes times) {
        return start(pipeline, environmentOf(client, tracing).timed(times));
    }

    private static WorkerEnvironment environmentOf(TaskMasterClient client, Tracing tracing) {
        ThreadFactory handlers = Thread.ofVirtual().name("stage-", 0).factory();
        return new WorkerEnvironment(
                TaskService.of(client),
                Timer.SYSTEM,
                threads("stage-loop-", 1),
                handler -> handlers.newThread(handler).start(),
                threads("stage-computing-", Runtime.getRuntime().availableProcessors()),
                new SplittableRandom(),
                tracing,
                Optional.empty());
    }

    /**
     * Creates a pool of platform threads that end when idle, so a handler that was abandoned may still report to the
     * loop. The loop is not on a virtual thread: handlers that compute would keep it from committing outcomes.
     */
    private static Executor threads(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name(name, 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Starts all stages of a pipeline in an environment of the caller's, such as a simulation. */
    public static Worker start(Pipeline pipeline, WorkerEnvironment environment) {
        return new Worker(pipeline, environment);
    }

    /**
     * Stops the leasing of a stage until it is resumed. Tasks that are held go on. Does not block.
     *
     * @param stage the name of the stage
     * @throws IllegalArgumentException if there is no such stage
     */
    public void pause(String stage) {
        runner(stage).pause();
    }

    /**
     * Resumes the leasing of a stage that was paused, or that paused by itself. No effect on one that runs, drains or
     * has stopped.
     *
     * @param stage the name of the stage
     * @throws IllegalArgumentException if there is no such stage
     */
    public void resume(String stage) {
        runner(stage).resume();
    }

    /** The names of the stages. */
    public Set<String> stages() {
        return Collections.unmodifiableSet(stages.keySet());
    }

    /** Returns a snapshot of every stage. The future completes when the stages' mailboxes have come to it. */
    public CompletableFuture<List<StageStatus>> status() {
        List<CompletableFuture<StageStatus>> all =
                stages.values().stream().map(StageRunner::status).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(allDone -> all.stream().map(CompletableFuture::join).toList());
    }

    /**
     * Drains all stages: they stop leasing for good, release tasks that no handler has, and let the handlers that run
     * finish and commit. After the deadline handlers are interrupted, and their tasks are released. The future
     * completes when no task is held, or 3 s after the deadline; leases that are left then expire by themselves. Does
     * not block.
     */
    public CompletableFuture<Void> drain(Duration deadline) {
        return CompletableFuture.allOf(
                stages.values().stream().map(stage -> stage.drain(deadline)).toArray(CompletableFuture[]::new));
    }

    /**
     * Works until the process receives SIGTERM or SIGINT, and then drains; or until another thread closes the worker.
     * For the main method of a worker process, which has 3 s to end after the drain. Blocks.
     *
     * @param deadline the time for the drain
     */
    public void untilShutdown(Duration deadline) {
        Thread caller = Thread.currentThread();
        Thread hook = new Thread(
                () -> {
                    drain(deadline).join();
                    awaitEndOf(caller);
                },
                "drain");
        Runtime.getRuntime().addShutdownHook(hook);
        stopped().join();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyShuttingDown) {
            // The shutdown hook itself stopped the worker.
        }
    }

    /**
     * Keeps the shutdown hook running for a moment: the process ends with its hooks, and the main method may have
     * resources to close.
     */
    private static void awaitEndOf(Thread caller) {
        try {
            caller.join(LAST_STEPS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<Void> stopped() {
        return CompletableFuture.allOf(
                stages.values().stream().map(StageRunner::stopped).toArray(CompletableFuture[]::new));
    }

    /**
     * Drains, with a deadline of {@link #DEFAULT_DRAIN} unless a drain has begun. Idempotent. Blocks: 28 s at most,
     * unless a longer drain has begun.
     */
    @Override
    public void close() {
        drain(DEFAULT_DRAIN).join();
    }

    private StageRunner<?> runner(String stage) {
        StageRunner<?> runner = stages.get(stage);
        if (runner == null) {
            throw new IllegalArgumentException("stage: %s (expected: one of %s)".formatted(stage, stages.keySet()));
        }
        return runner;
    }
}
