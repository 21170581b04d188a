package io.taskmaster.stage.worker;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
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
 * Does the work of a pipeline in this process, for as long as it is open: every stage leases tasks, works on them, and hands them off or
 * finishes them. Any number of workers, in any number of processes, may run the same stages. Thread-safe.
 */
public final class Worker implements AutoCloseable {

    /** How long {@link #close} lets handlers finish. */
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(25);

    /** How long a main method has to end after a drain. */
    private static final Duration LAST_STEPS = Duration.ofSeconds(3);

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Map<String, StageRunner<?>> stages = new LinkedHashMap<>();

    private Worker(Pipeline pipeline, Surroundings world) {
        for (Stage<?> stage : pipeline.stages()) {
            stages.put(stage.name(), new StageRunner<>(stage, pipeline, world));
        }
        stages.values().forEach(StageRunner::resume);
    }

    /**
     * Starts all stages of a pipeline. Handlers run on virtual threads, those of {@linkplain io.taskmaster.stage.StageBuilder#computing computing} stages on as many platform threads as processors.
     *
     * @param client is the caller's to close, after this worker
     */
    public static Worker start(Pipeline pipeline, TaskMasterClient client) {
        return start(pipeline, client, Tracing.NONE);
    }

    /**
     * The same, with somebody who follows tasks through it.
     *
     * @param client is the caller's to close, after this worker
     */
    public static Worker start(Pipeline pipeline, TaskMasterClient client, Tracing tracing) {
        return start(pipeline, world(client, tracing));
    }

    /**
     * The same, with somebody who hears how long its tasks wait and its handlers take, too, which costs some looks at the clock.
     *
     * @param client is the caller's to close, after this worker
     * @param tracing {@link Tracing#NONE} if nobody follows the tasks
     */
    public static Worker start(Pipeline pipeline, TaskMasterClient client, Tracing tracing, TaskTimes times) {
        return start(pipeline, world(client, tracing).timed(times));
    }

    private static Surroundings world(TaskMasterClient client, Tracing tracing) {
        ThreadFactory handlers = Thread.ofVirtual().name("stage-", 0).factory();
        return new Surroundings(
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
     * Platform threads, which end by themselves when there is nothing to do; so a handler that was given up may still come back to the loop. The loop is not on a virtual thread:
     * handlers that compute must not keep outcomes from being committed.
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

    /** Starts all stages of a pipeline in a world of the caller's. */
    public static Worker start(Pipeline pipeline, Surroundings world) {
        return new Worker(pipeline, world);
    }

    /** The stage leases nothing until it is resumed; what it has goes on. */
    public void pause(String stage) {
        runner(stage).pause();
    }

    public void resume(String stage) {
        runner(stage).resume();
    }

    /** The names of its stages. */
    public Set<String> stages() {
        return Collections.unmodifiableSet(stages.keySet());
    }

    /** What every stage is doing. */
    public CompletableFuture<List<StageStatus>> status() {
        List<CompletableFuture<StageStatus>> all =
                stages.values().stream().map(StageRunner::status).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(_ -> all.stream().map(CompletableFuture::join).toList());
    }

    /**
     * Leases nothing any more, gives back what no handler has, and lets those that run finish and commit. After the deadline it interrupts
     * them and gives their tasks back. Completes when nothing is in our hands, or 3 s after the deadline: leases that are left end by
     * themselves.
     */
    public CompletableFuture<Void> drain(Duration deadline) {
        return CompletableFuture.allOf(
                stages.values().stream().map(stage -> stage.drain(deadline)).toArray(CompletableFuture[]::new));
    }

    /**
     * Works until this process is told to end (SIGTERM, SIGINT), and then drains; or until somebody else closes it. What a worker's main
     * method does; it has 3 s to end after that. Blocks.
     *
     * @param deadline of the drain
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
            // It was the hook that stopped us.
        }
    }

    /** The process is gone as soon as its hooks have run; its main method may have something to close. */
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

    /** Drains, for {@link #DEFAULT_DRAIN} at most unless a drain is under way. Idempotent; blocks. */
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
