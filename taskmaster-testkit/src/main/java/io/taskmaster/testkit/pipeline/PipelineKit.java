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
import io.taskmaster.testkit.pipeline.fault.PipelineFaults;
import io.taskmaster.testkit.virtual.TimeDriver;
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
 * A pipeline in a test: worker processes that run it, and a TaskMaster server, all in the thread of the test, in
 * virtual time and from one seed.
 *
 * <p>Handlers, stages, workers, the client, the service, the engine, its log and its recovery are the real ones. Only
 * time, chance, the network, the store and the threads are simulated.
 *
 * <p>Events happen only within the methods of this class that let time pass. All events that are due then run one after
 * the other, in an order that the seed chooses. A wait of a day takes no time.
 *
 * <p>A handler runs to its end at one point of virtual time. It must not wait for another event of the kit, use threads
 * of its own, or block on a full local stage ({@link io.taskmaster.stage.local.Overflow#block}). Work that ends later
 * belongs in an {@code asyncHandler} with the timer of the {@link WorkerProgram}.
 *
 * <p>Faults are planned with {@link #faults}, or befall calls and workers by chance
 * ({@link PipelineKitBuilder#trouble}, {@link PipelineKitBuilder#crashes}). See {@code docs/guide/testing.md}.
 * Single-threaded: owned by the test.
 */
public final class PipelineKit implements AutoCloseable {

    private final KitEnvironment kitEnvironment;
    private final TimeDriver timeDriver;
    private final TaskMasterClient client;
    private final QueueReader reader;
    private final IdleWatch idle;
    private final Pipeline pipeline;
    private final Map<String, WorkerProcess> workers = new LinkedHashMap<>();

    PipelineKit(KitSettings settings) {
        SplittableRandom random = new SplittableRandom(settings.seed());
        VirtualTime time = new VirtualTime(random.split());
        VirtualServer server = new VirtualServer(time, random.split());
        this.kitEnvironment = new KitEnvironment(
                time, server, new KitJournal(time), new PipelineFaults(this::isInput), settings, random.split());
        this.timeDriver = new TimeDriver(time);
        timeDriver.await(server.open());
        this.client = TaskMasterClient.builder("kit")
                .worker("test")
                .build(server.wire(() -> 0), time, random.split()::nextDouble);
        this.reader = new QueueReader(client, timeDriver);
        for (String name : settings.workers()) {
            workers.put(name, new WorkerProcess(kitEnvironment, name, client));
        }
        workers.values().forEach(WorkerProcess::start);
        this.pipeline = workers.values().iterator().next().pipeline();
        this.idle = new IdleWatch(kitEnvironment, timeDriver, reader, pipeline);
    }

    private boolean isInput(TaskQueue<?> queue) {
        return pipeline.stages().stream()
                .anyMatch(stage -> stage.input().toString().equals(queue.toString()));
    }

    /** Returns a builder of a kit whose workers run this pipeline. */
    public static PipelineKitBuilder of(Pipeline pipeline) {
        return running((_, _) -> pipeline);
    }

    /**
     * Returns a builder of a kit whose workers create a pipeline at each start: with local stages, or with other state
     * of a process.
     */
    public static PipelineKitBuilder running(WorkerProgram program) {
        return new PipelineKitBuilder(program);
    }

    /**
     * Enqueues tasks into queues of the pipeline, in one update.
     *
     * @param tasks each with a PID of its own, or {@linkplain NewTask#last last}
     */
    public void enqueue(NewTask<?>... tasks) {
        send(pipeline.update(tasks));
    }

    /** Enqueues tasks in one group, for a pipeline that runs in all groups. */
    public void enqueue(GroupName group, NewTask<?>... tasks) {
        send(new Pipeline(Optional.of(group), pipeline.stages(), pipeline.sinks()).update(tasks));
    }

    private void send(Update update) {
        UpdateResult result = timeDriver.await(client.update(update));
        if (!result.success()) {
            throw new IllegalStateException("enqueue: rejected, %s (expected: an unused PID)".formatted(result));
        }
    }

    /** Returns the script of faults, to plan some. */
    public PipelineFaults faults() {
        return kitEnvironment.script();
    }

    /** Lets so much time pass. */
    public void advance(Duration span) {
        timeDriver.pass(span);
    }

    /**
     * Lets time pass until no stage has a task: all are done, in sinks, or dead letters. Delayed tasks are waited for.
     *
     * @throws NotIdleException if that takes longer than the {@linkplain PipelineKitBuilder#limit limit}
     */
    public void runUntilIdle() {
        idle.await();
    }

    /**
     * Lets time pass until a call of the {@link #client} is answered. Throws the error with which it fails, as
     * {@link CompletableFuture#join} does.
     */
    public <R> R await(CompletableFuture<R> call) {
        return timeDriver.await(call);
    }

    /** Returns the time of the server's clock, which all processes share. */
    public Instant now() {
        return kitEnvironment.time().now();
    }

    /** Returns a timer of virtual time: its alarms ring while time passes. */
    public Timer timer() {
        return kitEnvironment.time();
    }

    /**
     * Returns a client for the test. Its calls take no time, and are answered while time passes: see {@link #await}.
     * Its blocking client would wait forever.
     */
    public TaskMasterClient client() {
        return client;
    }

    /** Returns the only worker. */
    public WorkerProcess worker() {
        if (workers.size() > 1) {
            throw new IllegalStateException(
                    "workers: %s (expected: a single worker, or a call with a name)".formatted(workers.keySet()));
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

    /** Drains a worker, as {@link Worker#drain} does. Fails if it dies meanwhile. */
    public void drain(WorkerProcess worker, Duration deadline) {
        timeDriver.await(worker.drain(deadline));
    }

    /** Returns the status of the stages of a worker. */
    public List<StageStatus> status(WorkerProcess worker) {
        return timeDriver.await(worker.status());
    }

    /** Kills the server and recovers it from its store. */
    public void restartServer() {
        timeDriver.await(kitEnvironment.server().restart());
    }

    /** Returns the contents of a queue, or of all members of a family, of every group. */
    public <T> QueueContents<T> queue(TaskQueue<T> queue) {
        return reader.contents(queue);
    }

    /** Returns the dead letters of a queue, or of all members of a family, of every group. */
    public <T> QueueContents<T> deadLetters(TaskQueue<T> queue) {
        return reader.deadLetters(queue);
    }

    /** Returns the queues that hold tasks for stages. */
    public List<QueueSummary> waiting() {
        return idle.waiting();
    }

    /** Returns every commit that a worker has sent and the server has answered, in order. */
    public List<Commit> commits() {
        return kitEnvironment.kitJournal().commits();
    }

    /** Returns the number of attempts at the tasks of a queue, or of a family of queues. */
    public long attempts(TaskQueue<?> queue) {
        return kitEnvironment.kitJournal().attempts(queue);
    }

    /** Returns all events in order, each with a line of text. The same seed has the same trace. */
    public List<KitEvent> trace() {
        return kitEnvironment.kitJournal().all();
    }

    /** Stops everything. Fails if a planned fault never happened: then the test does not show what it claims. */
    @Override
    public void close() {
        workers.values().forEach(WorkerProcess::crash);
        List<String> pending = faults().pending();
        if (!pending.isEmpty()) {
            throw new AssertionError("faults that did not occur: %s (expected: none)".formatted(pending));
        }
    }
}
