package io.taskmaster.stage.worker;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.KeptLease;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.guard.Guard;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.steering.Actuator;
import io.taskmaster.stage.steering.ControlLoop;
import io.taskmaster.stage.worker.Settlement.GiveBack;
import io.taskmaster.stage.worker.StageStatus.Phase;
import io.taskmaster.stage.worker.task.Attempt;
import io.taskmaster.stage.worker.task.HandlerResult;
import io.taskmaster.stage.worker.task.InFlightTask;
import io.taskmaster.stage.worker.task.InFlightTask.State;
import io.taskmaster.stage.worker.task.Mailbox;
import io.taskmaster.stage.worker.task.TaskTrace;
import io.taskmaster.stage.worker.task.Tracing;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtime of one stage in one worker: it leases tasks while it has permits, dispatches them to the handler, and has
 * the outcome of each task committed.
 *
 * <p>{@link Leasing} makes the lease calls, {@link Intake} decides whether a handler gets a task, {@link Dispatch}
 * calls the handler, and {@link Settler} commits the settlement. This class owns the phase of the stage, the set of
 * tasks it holds, and the permits.
 *
 * <pre>{@code
 * state    | where the task is                                   | left by
 * READY    | in its lane, where it waits for a handler           | dispatch, release (drain, crowd, stuck), lost lease
 * RUNNING  | with the handler, in an Attempt                     | outcome, timeout, return of the handler, lost lease
 * RESTING  | with the stage, for a delay; its lane waits for it  | end of the delay, release (drain, stuck), lost lease
 * SETTLING | its settlement is being committed                   | commit, refusal (another settlement), lost lease
 * GONE     | not held any more; its permit is free               | nothing
 * }</pre>
 *
 * <p>{@link InFlightTask} has the full table of transitions; {@link StageStatus.Phase} has that of the stage.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A permit stands for one task, from before it is requested until its settlement is committed. So the number of
 *       leased tasks is bounded before a thread or a byte is spent on them. A lease call keeps the permits that it was
 *       made with until it is over.
 *   <li>A call of the handler that is abandoned (no outcome of it counts any more) keeps its place and its permits,
 *       {@code maxBatch} of them, until it returns.
 *   <li>Up to {@link #MAX_FAILED} tasks that failed and rest in their lane need no permit, so keys at which everything
 *       fails do not hold up the others.
 *   <li>All leases that are held are renewed. A lost lease frees its permit at once and cancels the handler, whose
 *       outcome is then discarded. If the loss is not noticed in time, the server refuses the commit (paper section
 *       3.4).
 * </ul>
 *
 * <p>Every event (a reply, an outcome, a lost lease, an alarm) is a step in the {@link Mailbox} of the stage. Steps run
 * one at a time and never block. So this class needs no locks, and a test that owns the executors and the clock
 * ({@link WorkerEnvironment}) decides every interleaving. A step that throws is a bug: it is the last step, and the
 * stage is {@code FAILED}.
 *
 * <p>Single-threaded: owned by the mailbox of the stage. The package-private methods may be called from any thread;
 * they enqueue a step.
 */
final class StageRunner<T> {

    private static final Logger LOG = LoggerFactory.getLogger(StageRunner.class);

    /**
     * The time that interrupted handlers have to return, and their tasks to be released, before the stage stops without
     * them.
     */
    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    /**
     * The maximum number of tasks that failed and rest without a permit. Keys at which every task fails do not hold up
     * the others.
     */
    static final int MAX_FAILED = 1_000;

    private final Stage<T> stage;
    private final StageSettings settings;
    private final Tracing tracing;
    private final Mailbox mailbox;
    private final LeaseKeeper keeper;
    private final StageLimits stageLimits;
    private final Sampling sampling;
    private final Leasing leasing;
    private final Dispatch<T> dispatch;
    private final Settler<T> settler;
    private final Intake<T> intake;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private Phase phase = Phase.PAUSED;
    private Optional<String> failure = Optional.empty();
    private final Set<InFlightTask<T>> inFlight = new LinkedHashSet<>();

    /** The subset of {@link #inFlight} that failed and rests. */
    private final Set<InFlightTask<T>> failed = new HashSet<>();

    private long leased;
    private long timeouts;

    private final Leasing.Listener leaseCalls = new Leasing.Listener() {
        @Override
        public void arrived(List<LeasedTask> tasks) {
            tasks.forEach(StageRunner.this::add);
        }

        @Override
        public void idle() {
            leaseAndDispatch();
        }
    };

    private final Attempt.Listener<T> listener = new Attempt.Listener<>() {
        @Override
        public void concluded(InFlightTask<T> task, HandlerResult handlerResult) {
            mailbox.step(() -> {
                // A timeout or a lost lease may have settled the task first; then this outcome does not count.
                if (task.state == State.RUNNING) {
                    settler.conclude(task, handlerResult);
                }
            });
        }

        @Override
        public void returned(Attempt<T> attempt) {
            mailbox.step(() -> {
                sampling.returned(attempt, mailbox.nanoTime());
                dispatch.returned(attempt);
                attempt.tasks().stream()
                        .filter(task -> task.state == State.RUNNING)
                        .forEach(task ->
                                settler.conclude(task, HandlerResult.retry("handler: returned without an outcome")));
                leaseAndDispatch();
            });
        }
    };

    private final Settler.Listener<T> settled = new Settler.Listener<>() {
        @Override
        public void onSettled(InFlightTask<T> task) {
            release(task);
        }

        @Override
        public void rest(InFlightTask<T> task, Duration delay) {
            StageRunner.this.rest(task, delay);
        }

        @Override
        public void restAfterFailure(InFlightTask<T> task, Duration delay) {
            failed.add(task);
            rest(task, delay);
            lease();
        }

        @Override
        public void settleMisdirected(String reason) {
            failure = Optional.of(reason);
            stopLeasing();
            releaseWaiting();
        }
    };

    StageRunner(Stage<T> stage, Pipeline pipeline, WorkerEnvironment environment) {
        this.stage = stage;
        this.settings = stage.settings();
        Warnings warnings = new Warnings("stage " + stage.name(), LOG, environment.timer());
        this.tracing = environment.tracing(new Guard(warnings));
        this.mailbox = new Mailbox(environment, this::fail);
        this.keeper = environment.tasks().keepLeases(settings.lease());
        this.stageLimits = new StageLimits(settings);
        this.sampling = new Sampling(settings, mailbox.nanoTime());
        this.leasing =
                new Leasing(stage, pipeline.group(), environment.tasks(), mailbox, sampling, warnings, leaseCalls);
        this.dispatch = new Dispatch<>(
                stage, stageLimits, mailbox, environment.handlersOf(stage), tracing, listener, this::timeOut);
        this.settler = new Settler<>(stage, pipeline.targets(stage), mailbox, environment, warnings, settled);
        this.intake = new Intake<>(stage, tracing, dispatch, settler);
        startController();
    }

    /** Starts the controllers of the stage, if it has any. They sample the stage for as long as it leases. */
    private void startController() {
        List<Actuator> actuators = stageLimits.actuators(this::limited);
        if (!actuators.isEmpty()) {
            new ControlLoop(
                            "stage " + stage.name(),
                            mailbox,
                            actuators,
                            nowNanos -> sampling.sample(
                                    nowNanos, dispatch.waiting(), dispatch.running(), phase == Phase.RUNNING),
                            () -> phase != Phase.RUNNING && phase != Phase.PAUSED)
                    .begin();
        }
    }

    /**
     * Leases tasks until the stage is paused or drained. Clears the failure of a stage that paused by itself. No effect
     * unless the stage is paused.
     */
    void resume() {
        mailbox.step(() -> {
            if (phase == Phase.PAUSED) {
                phase = Phase.RUNNING;
                failure = Optional.empty();
                lease();
            }
        });
    }

    /** Stops leasing. Tasks that are held go on. */
    void pause() {
        mailbox.step(this::stopLeasing);
    }

    private void stopLeasing() {
        if (phase == Phase.RUNNING) {
            phase = Phase.PAUSED;
            leasing.end(!inFlight.isEmpty(), () -> phase == Phase.RUNNING);
        }
    }

    /**
     * Stops leasing for good, releases the tasks that no handler has, and waits for the handlers that run. The future
     * completes when no task is held; or {@link #CLOSE_TIMEOUT} after the deadline, at which handlers that still run
     * are interrupted. Leases that are left then expire by themselves. Does not block.
     */
    CompletableFuture<Void> drain(Duration deadline) {
        mailbox.step(() -> {
            if (phase == Phase.RUNNING || phase == Phase.PAUSED) {
                phase = Phase.DRAINING;
                settler.draining();
                leasing.end(!inFlight.isEmpty(), () -> false);
                releaseWaiting();
                mailbox.after(deadline, this::interrupt);
                stopIfEmpty();
            }
        });
        return stopped();
    }

    /** Returns a future that completes when the stage has stopped, whether drained or failed. */
    CompletableFuture<Void> stopped() {
        return stopped.copy();
    }

    CompletableFuture<StageStatus> status() {
        CompletableFuture<StageStatus> status = new CompletableFuture<>();
        mailbox.query(() -> status.complete(new StageStatus(
                stage.name(),
                phase,
                dispatch.waiting(),
                dispatch.running(),
                dispatch.abandoned(),
                stageLimits.concurrency(),
                stageLimits.maxBatch(),
                settler.settling(),
                leased,
                settler.done(),
                settler.handedOn(),
                settler.retried(),
                settler.postponed(),
                settler.dead(),
                settler.lost(),
                timeouts,
                settler.lastFailure(),
                failure,
                leasing.outage().or(settler::outage))));
        return status;
    }

    /** Does whatever a change of state may have made possible: dispatches, leases, or stops. */
    private void leaseAndDispatch() {
        dispatch.run();
        lease();
        stopIfEmpty();
    }

    private void lease() {
        if (phase == Phase.RUNNING && !dispatch.isStuck()) {
            // The tasks of an abandoned call are not held any more, but its place is taken: a full batch for each such
            // call.
            int free = Math.min(failed.size(), MAX_FAILED);
            int permits = stageLimits.inHand() + free - inFlight.size() - stageLimits.maxBatch() * dispatch.abandoned();
            leasing.requestTasks(permits);
            if (permits <= 0) {
                releaseCrowd();
            }
        }
    }

    /** Releases tasks of busy keys that keep handlers idle, so that their permits go to tasks of other keys. */
    private void releaseCrowd() {
        dispatch.removeCrowd(settler::serverTime)
                .forEach((task, until) ->
                        settler.settle(task, task.isUntried() ? GiveBack.postponed(until) : GiveBack.until(until)));
    }

    /** Reacts to a controller that changed the limits of the stage. */
    private void limited() {
        releaseIfStuck();
        leaseAndDispatch();
    }

    /** Releases the tasks that wait while no call of the handler returns: another worker can do them sooner. */
    private void releaseIfStuck() {
        if (dispatch.isStuck()) {
            releaseWaiting();
        }
    }

    /**
     * Releases all tasks that no handler has. Resting tasks go first, since tasks of their key may wait behind them.
     */
    private void releaseWaiting() {
        inFlight.stream().filter(task -> task.state == State.RESTING).toList().forEach(this::releaseResting);
        release(dispatch.removeAll());
    }

    private void releaseResting(InFlightTask<T> task) {
        failed.remove(task);
        release(List.of(task));
    }

    private void release(List<InFlightTask<T>> waiting) {
        waiting.forEach(task -> settler.settle(task, task.isUntried() ? GiveBack.UNTRIED : GiveBack.AT_ONCE));
    }

    private void add(LeasedTask lease) {
        if (phase == Phase.STOPPED) {
            return;
        }
        leased++;
        // The lease is kept before the key is computed, which runs code of the application.
        KeptLease kept = keeper.keep(lease);
        Intake.Key key = intake.keyOf(lease);
        InFlightTask<T> task = new InFlightTask<>(stage, kept, key.text(), mailbox.nanoTime());
        inFlight.add(task);
        var unused = kept.lost().thenAccept(loss -> mailbox.step(() -> lose(task, loss.status())));
        if (phase == Phase.DRAINING || failure.isPresent() || dispatch.isStuck()) {
            settler.settle(task, GiveBack.UNTRIED);
        } else {
            intake.take(task, key);
        }
    }

    private void lose(InFlightTask<T> task, Status status) {
        // A lease that expired without a successor can still dequeue its task. Whether there is a successor, the reply
        // to a settlement in flight tells.
        task.leaseIsLost = status != Status.LEASE_EXPIRED;
        switch (task.state) {
            case READY -> {
                dispatch.remove(task);
                settler.lose(task);
            }
            case RESTING -> {
                failed.remove(task);
                settler.lose(task);
            }
            case RUNNING -> {
                task.cancel();
                settler.lose(task);
                abandonIfFutile(requireNonNull(task.attempt));
            }
            // The reply to the settlement in flight decides: it may have been applied, which is how the lease ended.
            case SETTLING, GONE -> {}
        }
    }

    /**
     * Keeps a task for another attempt under the same lease. It keeps its place in its lane, so no task of the lane
     * overtakes it.
     */
    private void rest(InFlightTask<T> task, Duration delay) {
        task.state = State.RESTING;
        mailbox.after(delay, () -> {
            if (task.state != State.RESTING) {
                return;
            }
            if (dispatch.isWithHandler(task)) {
                // The handler has reported an outcome and still has not returned, so it must not get the task again.
                // The task is released, and so are the tasks of its key behind it: the worker that leases it next then
                // gets them in order.
                releaseResting(task);
                release(dispatch.removeBehind(task));
                return;
            }
            failed.remove(task);
            task.state = State.READY;
            task.attempt = null;
            dispatch.requeue(task);
            releaseIfStuck();
            dispatch.run();
        });
    }

    private void timeOut(Attempt<T> attempt) {
        List<InFlightTask<T>> late = attempt.tasks().stream()
                .filter(task -> task.state == State.RUNNING)
                .toList();
        for (InFlightTask<T> task : late) {
            task.cancel();
            settler.conclude(task, HandlerResult.retry("handler: took longer than " + settings.timeout()));
        }
        timeouts += late.isEmpty() ? 0 : 1;
        abandonIfFutile(attempt);
    }

    /**
     * Abandons a call of the handler of which no outcome counts any more. It keeps its permits and its thread until it
     * returns.
     */
    private void abandonIfFutile(Attempt<T> attempt) {
        if (attempt.isFutile()) {
            dispatch.abandon(attempt);
            releaseIfStuck();
        }
    }

    private void release(InFlightTask<T> task) {
        sampling.ended(task, mailbox.nanoTime());
        task.release();
        inFlight.remove(task);
        dispatch.onEnded(task);
        lease();
        stopIfEmpty();
    }

    private void interrupt() {
        if (phase == Phase.DRAINING) {
            settler.stopping();
            dispatch.interruptAll();
            mailbox.after(CLOSE_TIMEOUT, this::stop);
        }
    }

    private void stopIfEmpty() {
        if (phase == Phase.DRAINING && !leasing.isRequesting() && inFlight.isEmpty() && dispatch.running() == 0) {
            stop();
        }
    }

    private void stop() {
        if (phase == Phase.STOPPED) {
            return;
        }
        if (!inFlight.isEmpty()) {
            LOG.warn(
                    "stage {}: stopped with {} tasks unsettled; they become available when their leases expire",
                    stage.name(),
                    inFlight.size());
        }
        phase = Phase.STOPPED;
        settler.stopped();
        inFlight.forEach(task -> task.ended(TaskTrace.End.LOST, "the worker stopped before the task was settled"));
        keeper.close();
        stopped.complete(null);
    }

    /**
     * Stops the stage after a bug. The state is not trustworthy, so nothing new is begun: handlers are interrupted,
     * tasks that no handler has are released without waiting for the reply, and no lease is renewed, so the other
     * leases expire by themselves. Other workers get the tasks.
     */
    private void fail(Throwable defect) {
        phase = Phase.FAILED;
        failure = Optional.of(HandlerResult.textOf(defect));
        try {
            keeper.close();
            leasing.stop();
            dispatch.interruptAll();
            inFlight.stream()
                    .filter(task -> task.state == State.READY || task.state == State.RESTING)
                    .forEach(settler::abandon);
            inFlight.forEach(task -> task.ended(TaskTrace.End.LOST, "the stage stopped because of a bug"));
        } finally {
            // Whatever failed above, a drain must not wait for a stage that runs no more steps.
            stopped.complete(null);
            LOG.error("stage {}: stopped because of a bug; other workers get its tasks", stage.name(), defect);
        }
    }
}
