package io.taskmaster.testkit.pipeline;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.LocalWorld;
import io.taskmaster.stage.worker.StageStatus;
import io.taskmaster.stage.worker.Surroundings;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.testkit.virtual.VirtualTime;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator.SplittableGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A worker process of a kit. It can be killed at any moment, by the test or by a handler, and started again: it then knows nothing of its former life, and
 * its leases end by themselves. Single-threaded: owned by the test.
 */
public final class WorkerProcess {

    private final World world;
    private final String name;
    private final TaskMasterClient operator;
    private final SplittableGenerator random;
    private @Nullable Life life;
    private @Nullable Pipeline pipeline;

    /** Counts the starts and the ends: a restart that was planned before the last of them does not happen. */
    private long turns;

    /** From a start to an end. */
    private static final class Life {

        boolean alive = true;

        final CompletableFuture<Void> over = new CompletableFuture<>();

        @Nullable
        Worker worker;

        @Nullable
        WatchedTasks tasks;

        boolean isAlive() {
            return alive;
        }
    }

    WorkerProcess(World world, String name, TaskMasterClient operator) {
        this.world = world;
        this.name = name;
        this.operator = operator;
        this.random = world.random().split();
    }

    public String name() {
        return name;
    }

    public boolean isAlive() {
        return life != null;
    }

    /** What it runs, or ran last. */
    Pipeline pipeline() {
        return requireNonNull(pipeline, "a pipeline: it has been started");
    }

    /** Starts it, if it is not alive. */
    public void start() {
        if (life != null) {
            return;
        }
        turns++;
        world.journal().incident(name, "starts");
        Life begun = new Life();
        life = begun;
        VirtualTime time = world.time();
        Timer timer = time.of(begun::isAlive);
        Executor soon = time.executor(begun::isAlive, () -> 0);
        Pipeline made = world.settings().program().start(LocalStages.start(new LocalWorld(timer, soon, soon)), timer);
        pipeline = made;
        WatchedTasks tasks = new WatchedTasks(
                world,
                new Trouble(world.settings().trouble(), random.split()),
                TaskMasterClient.builder("kit")
                        .worker(name)
                        .build(world.server().wire(world::wayNanos), timer, random::nextDouble),
                made,
                name,
                why -> crash(begun, why));
        begun.tasks = tasks;
        begun.worker = Worker.start(
                new WatchedHandlers(world, operator, name, why -> crash(begun, why)).watched(made),
                new Surroundings(
                        tasks,
                        timer,
                        soon,
                        time.executor(
                                begun::isAlive,
                                () -> World.upTo(
                                        Deadlines.nanos(world.settings().handling()), random)),
                        random.split(),
                        world.settings().tracing()));
        world.settings().crashes().ifPresent(mean -> crashInTime(begun, mean));
    }

    private void crashInTime(Life begun, Duration mean) {
        world.time().schedule(() -> crash(begun, "crashes by chance"), World.upTo(Deadlines.nanos(mean) * 2, random));
    }

    /** A crash that nobody undoes but the kit. */
    private void crash(Life dying, String why) {
        if (dying.isAlive()) {
            end(dying, why);
            long planned = turns;
            world.time()
                    .schedule(
                            () -> restart(planned),
                            Deadlines.nanos(world.settings().restart()));
        }
    }

    private void restart(long planned) {
        if (planned == turns) {
            start();
        }
    }

    private void end(Life dying, String why) {
        turns++;
        world.journal().incident(name, why);
        dying.alive = false;
        life = null;
        if (dying.tasks != null) {
            dying.tasks.die();
        }
        dying.over.complete(null);
    }

    /** Kills it: nothing of it happens any more, but what it has sent is done. It stays dead until it is started, also if it was away already. */
    public void crash() {
        turns++;
        if (life != null) {
            end(life, "is killed");
        }
    }

    /**
     * Ends it as a deployment does: it gives back what no handler has, and finishes the rest. Complete once it has ended; fails
     * if it dies before.
     *
     * @param deadline see {@link Worker#drain}
     */
    CompletableFuture<Void> drain(Duration deadline) {
        Life draining = alive();
        return unlessItDies(draining, worker().drain(deadline)).thenRun(() -> {
            if (draining.isAlive()) {
                end(draining, "has ended in good order");
            }
        });
    }

    /** What its stages are doing. Fails if it dies before it has said so. */
    CompletableFuture<List<StageStatus>> status() {
        return unlessItDies(alive(), worker().status());
    }

    /** The dead do not answer, and nobody is to wait for them. */
    private <R> CompletableFuture<R> unlessItDies(Life asked, CompletableFuture<R> answer) {
        CompletableFuture<R> dead = asked.over.thenApply(_ -> {
            throw new IllegalStateException("worker %s: died (expected: alive until it has answered)".formatted(name));
        });
        return answer.applyToEither(dead, result -> result);
    }

    /** The stage leases nothing until it is resumed. */
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
