package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Timer;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.model.GroupName;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.StageStatus;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.testkit.virtual.Patience;
import io.taskmaster.testkit.virtual.VirtualServer;
import io.taskmaster.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A pipeline in a test: worker processes that run it, and a TaskMaster, all in the thread of the test, in virtual time and from one seed. Handlers, stages,
 * workers, the client, the service, the engine, its log and its recovery are the real ones. Nothing happens but in the methods of this class that let
 * time pass; then everything that is due happens, one after the other, in an order that the seed chooses. A wait of a day takes no time.
 *
 * <p>A handler runs to its end at one point of virtual time. It must not wait for anything that happens in the kit, use threads of its own, or the
 * {@linkplain io.taskmaster.stage.local.Overflow#block room} of a local stage. Where work ends later, use an {@code asyncHandler} and the timer of the
 * {@link WorkerProgram}.
 *
 * <p>Single-threaded: owned by the test.
 */
public final class PipelineKit implements AutoCloseable {

    private final World world;
    private final Patience patience;
    private final TaskMasterClient client;
    private final QueueReader reader;
    private final IdleWatch idle;
    private final Pipeline pipeline;
    private final Map<String, WorkerProcess> workers = new LinkedHashMap<>();

    PipelineKit(KitSettings settings) {
        SplittableRandom random = new SplittableRandom(settings.seed());
        VirtualTime time = new VirtualTime(random.split());
        VirtualServer server = new VirtualServer(time, random.split());
        this.world =
                new World(time, server, new Journal(time), new FaultScript(this::isInput), settings, random.split());
        this.patience = new Patience(time);
        patience.await(server.open());
        this.client = TaskMasterClient.builder("kit")
                .worker("test")
                .build(server.wire(() -> 0), time, random.split()::nextDouble);
        this.reader = new QueueReader(client, patience);
        for (String name : settings.workers()) {
            workers.put(name, new WorkerProcess(world, name, client));
        }
        workers.values().forEach(WorkerProcess::start);
        this.pipeline = workers.values().iterator().next().pipeline();
        this.idle = new IdleWatch(world, patience, reader, pipeline);
    }

    private boolean isInput(TaskQueue<?> queue) {
        return pipeline.stages().stream()
                .anyMatch(stage -> stage.input().toString().equals(queue.toString()));
    }

    /** A kit whose workers run this pipeline. */
    public static PipelineKitBuilder of(Pipeline pipeline) {
        return running((_, _) -> pipeline);
    }

    /** A kit whose workers make a pipeline each, every time they start: with local stages, or with what a process has of its own. */
    public static PipelineKitBuilder running(WorkerProgram program) {
        return new PipelineKitBuilder(program);
    }

    /**
     * Puts tasks into queues of the pipeline, in one update.
     *
     * @param tasks each with a PID of its own, or {@linkplain NewTask#last last}
     */
    public void enqueue(NewTask<?>... tasks) {
        send(pipeline.update(tasks));
    }

    /** The same in one group, for a pipeline that runs in all of them. */
    public void enqueue(GroupName group, NewTask<?>... tasks) {
        send(new Pipeline(Optional.of(group), pipeline.stages(), pipeline.sinks()).update(tasks));
    }

    private void send(Update update) {
        UpdateResult result = patience.await(client.update(update));
        if (!result.success()) {
            throw new IllegalStateException("enqueue: refused, %s (expected: a PID that is free)".formatted(result));
        }
    }

    /** What is to go wrong. */
    public FaultScript faults() {
        return world.script();
    }

    /** Lets so much time pass. */
    public void advance(Duration span) {
        patience.pass(span);
    }

    /**
     * Lets time pass until no stage has a task: all are done, in sinks, or dead letters. What waits for its time is waited for.
     *
     * @throws NotIdleException if that takes longer than the {@linkplain PipelineKitBuilder#limit limit}
     */
    public void runUntilIdle() {
        idle.await();
    }

    /** Lets time pass until a call of the {@link #client} is answered. Throws what it fails with, as {@link CompletableFuture#join} does. */
    public <R> R await(CompletableFuture<R> call) {
        return patience.await(call);
    }

    /** The time by the server's clock, and everybody else's. */
    public Instant now() {
        return world.time().now();
    }

    /** Virtual time, for whoever is to do something at a certain moment: alarms ring while time passes. */
    public Timer timer() {
        return world.time();
    }

    /** A client of the test's. Its calls take no time, and are answered while time passes: see {@link #await}; its blocking face would wait for ever. */
    public TaskMasterClient client() {
        return client;
    }

    /** The only worker. */
    public WorkerProcess worker() {
        if (workers.size() > 1) {
            throw new IllegalStateException("workers: %s (expected: one, or a name)".formatted(workers.keySet()));
        }
        return workers.values().iterator().next();
    }

    public WorkerProcess worker(String name) {
        WorkerProcess worker = workers.get(name);
        if (worker == null) {
            throw new IllegalArgumentException("worker: %s (expected: one of %s)".formatted(name, workers.keySet()));
        }
        return worker;
    }

    /** Ends a worker in good order, as {@link Worker#drain} does. Fails if it dies meanwhile. */
    public void drain(WorkerProcess worker, Duration deadline) {
        patience.await(worker.drain(deadline));
    }

    /** What the stages of a worker are doing. */
    public List<StageStatus> status(WorkerProcess worker) {
        return patience.await(worker.status());
    }

    /** Kills TaskMaster and starts it again, on what it had written. */
    public void restartServer() {
        patience.await(world.server().restart());
    }

    /** What is in a queue, or in all members of a family, of every group. */
    public <T> QueueContents<T> queue(TaskQueue<T> queue) {
        return reader.contents(queue);
    }

    /** The dead letters of a queue, or of all members of a family, of every group. */
    public <T> QueueContents<T> deadLetters(TaskQueue<T> queue) {
        return reader.deadLetters(queue);
    }

    /** The queues that hold tasks for stages. */
    public List<QueueSummary> waiting() {
        return idle.waiting();
    }

    /** Every commit that a worker has sent and the server has answered, in order. */
    public List<Commit> commits() {
        return world.journal().commits();
    }

    /** How often handlers have got a task of a queue, or of a family of queues. */
    public long attempts(TaskQueue<?> queue) {
        return world.journal().attempts(queue);
    }

    /** All that has happened, in order: the same seed has the same trace. One line each in its text. */
    public List<Happening> trace() {
        return world.journal().all();
    }

    /** Stops everything. Fails if a fault that the test asked for never happened: then the test does not show what it says. */
    @Override
    public void close() {
        workers.values().forEach(WorkerProcess::crash);
        List<String> pending = faults().pending();
        if (!pending.isEmpty()) {
            throw new AssertionError("faults that never happened: %s (expected: none)".formatted(pending));
        }
    }
}
