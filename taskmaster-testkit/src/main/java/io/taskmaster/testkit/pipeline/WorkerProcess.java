package io.taskmaster.testkit.pipeline;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.pool.LocalEnvironment;
import io.taskmaster.stage.worker.StageStatus;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import io.taskmaster.testkit.pipeline.fault.RandomFaults;
import io.taskmaster.testkit.virtual.VirtualTime;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator.SplittableGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A worker process of a kit. The test or a handler can kill it at any moment. A restart begins a new life without any
 * state of the former one, whose leases expire by themselves.
 *
 * <pre>{@code
 * state | event                                   | next state | effect
 * ------+-----------------------------------------+------------+------------------------------------------------
 * dead  | start()                                 | alive      | new pipeline, client and worker
 * alive | start()                                 | alive      | none
 * alive | crash by script or chance               | dead       | a restart is planned
 * dead  | the planned restart is due              | alive      | as start(), unless any other event came first
 * alive | crash()                                 | dead       | no restart
 * dead  | crash()                                 | dead       | the planned restart is void
 * alive | drain completes                         | dead       | no restart
 * }</pre>
 *
 * Single-threaded: owned by the test.
 */
public final class WorkerProcess {

    private final KitEnvironment kitEnvironment;
    private final String name;
    private final TaskMasterClient operator;
    private final SplittableGenerator random;
    private @Nullable Life life;
    private @Nullable Pipeline pipeline;

    /** A count of starts and ends. A restart that was planned before the last of them is void. */
    private long generation;

    /** One life of the process, from a start to an end. */
    private static final class Life {

        boolean alive = true;

        final CompletableFuture<Void> died = new CompletableFuture<>();

        @Nullable
        Worker worker;

        @Nullable
        WatchedTasks tasks;

        boolean isAlive() {
            return alive;
        }
    }

    WorkerProcess(KitEnvironment kitEnvironment, String name, TaskMasterClient operator) {
        this.kitEnvironment = kitEnvironment;
        this.name = name;
        this.operator = operator;
        this.random = kitEnvironment.random().split();
    }

    public String name() {
        return name;
    }

    public boolean isAlive() {
        return life != null;
    }

    /** Returns the pipeline that it runs, or ran last. */
    Pipeline pipeline() {
        return requireNonNull(pipeline, "a pipeline, because it was started");
    }

    /** Starts it, if it is dead. */
    public void start() {
        if (life != null) {
            return;
        }
        generation++;
        kitEnvironment.kitJournal().incident(name, "starts");
        Life started = new Life();
        life = started;
        VirtualTime time = kitEnvironment.time();
        // Everything is bound to this life and not to the process, so nothing of it happens once another one has begun.
        Timer timer = time.of(started::isAlive);
        Executor executor = time.executor(started::isAlive, () -> 0);
        Pipeline made = kitEnvironment
                .settings()
                .program()
                .start(LocalStages.start(new LocalEnvironment(timer, executor, executor)), timer);
        pipeline = made;
        WatchedTasks tasks = new WatchedTasks(
                kitEnvironment,
                new RandomFaults(kitEnvironment.settings().faultPercent(), random.split()),
                TaskMasterClient.builder("kit")
                        .worker(name)
                        .build(
                                kitEnvironment.server().wire(kitEnvironment::networkDelayNanos),
                                timer,
                                random::nextDouble),
                made,
                name,
                reason -> crash(started, reason));
        started.tasks = tasks;
        started.worker = Worker.start(
                new WatchedHandlers(kitEnvironment, operator, name, reason -> crash(started, reason)).watched(made),
                new WorkerEnvironment(
                        tasks,
                        timer,
                        executor,
                        time.executor(
                                started::isAlive,
                                () -> KitEnvironment.upTo(
                                        Deadlines.nanos(
                                                kitEnvironment.settings().handling()),
                                        random)),
                        random.split(),
                        kitEnvironment.settings().tracing()));
        kitEnvironment.settings().crashes().ifPresent(mean -> crashInTime(started, mean));
    }

    private void crashInTime(Life started, Duration mean) {
        // The life is uniform between zero and twice the mean.
        kitEnvironment
                .time()
                .schedule(
                        () -> crash(started, "crashes at random"),
                        KitEnvironment.upTo(Deadlines.nanos(mean) * 2, random));
    }

    /** Ends a life by a crash, and plans the restart. */
    private void crash(Life incarnation, String reason) {
        if (incarnation.isAlive()) {
            end(incarnation, reason);
            long planned = generation;
            kitEnvironment
                    .time()
                    .schedule(
                            () -> restart(planned),
                            Deadlines.nanos(kitEnvironment.settings().restart()));
        }
    }

    private void restart(long planned) {
        if (planned == generation) {
            start();
        }
    }

    private void end(Life incarnation, String reason) {
        generation++;
        kitEnvironment.kitJournal().incident(name, reason);
        incarnation.alive = false;
        life = null;
        if (incarnation.tasks != null) {
            incarnation.tasks.die();
        }
        incarnation.died.complete(null);
    }

    /**
     * Kills it: no event of it happens any more, but calls that it has sent are applied. It stays dead until it is
     * started, even if a restart was planned.
     */
    public void crash() {
        generation++;
        if (life != null) {
            end(life, "is killed");
        }
    }

    /**
     * Drains it as a deployment does: it releases the tasks that no handler has, and finishes the others. Complete once
     * it has ended; fails if it dies before.
     *
     * @param deadline see {@link Worker#drain}
     */
    CompletableFuture<Void> drain(Duration deadline) {
        Life draining = alive();
        return unlessItDies(draining, worker().drain(deadline)).thenRun(() -> {
            if (draining.isAlive()) {
                end(draining, "shut down");
            }
        });
    }

    /** Returns the status of its stages. Fails if it dies first. */
    CompletableFuture<List<StageStatus>> status() {
        return unlessItDies(alive(), worker().status());
    }

    /** Returns a future that fails if the process dies first: a dead process completes no future. */
    private <R> CompletableFuture<R> unlessItDies(Life incarnation, CompletableFuture<R> answer) {
        CompletableFuture<R> dead = incarnation.died.thenApply(_ -> {
            throw new IllegalStateException("worker %s: died before it replied (expected: alive)".formatted(name));
        });
        return answer.applyToEither(dead, result -> result);
    }

    /** Pauses a stage: it leases nothing until it is resumed. */
    public void pause(String stage) {
        worker().pause(stage);
    }

    public void resume(String stage) {
        worker().resume(stage);
    }

    private Worker worker() {
        Worker worker = alive().worker;
        if (worker == null) {
            throw new IllegalStateException("worker %s: starting (expected: started)".formatted(name));
        }
        return worker;
    }

    private Life alive() {
        if (life == null) {
            throw new IllegalStateException("worker %s: dead (expected: alive)".formatted(name));
        }
        return life;
    }

    @Override
    public String toString() {
        return name + (life == null ? ", dead" : "");
    }
}
