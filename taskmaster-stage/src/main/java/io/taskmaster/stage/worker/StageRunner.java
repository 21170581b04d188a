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
import io.taskmaster.stage.steering.Lever;
import io.taskmaster.stage.steering.Steering;
import io.taskmaster.stage.worker.Held.State;
import io.taskmaster.stage.worker.Settlement.GiveBack;
import io.taskmaster.stage.worker.StageStatus.Phase;
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
 * Runs one stage: leases tasks when there are permits for them, gives them to the handler, and has what comes of each committed.
 *
 * <p>A permit stands for one task in our hands, from before it is asked for until its settlement is committed; so what is leased is bounded
 * before a thread or a byte is spent on it. {@link Leasing} gets tasks, {@link Dispatch} gives them to the handler, {@link Settler} brings
 * what came of them to the server. All leases in our hands are renewed. A lost lease frees the permit at once and cancels the handler; what
 * that returns is thrown away, and if nobody noticed the loss in time the server refuses the commit (paper section 3.4).
 *
 * <p>Each event is a step in a mailbox: a reply, an outcome, a loss, an alarm. Steps run one after the other and never block, so there are
 * no locks here, and a test that owns executors and time owns everything that can happen.
 */
final class StageRunner<T> {

    private static final Logger LOG = LoggerFactory.getLogger(StageRunner.class);

    /** How long interrupted handlers have to return, and their tasks to be given back, before a stage stops without them. */
    static final Duration LAST_WORDS = Duration.ofSeconds(3);

    /** So many tasks that failed and rest need no permit: keys at which all fails do not hold up the others. */
    static final int MAX_FAILED = 1_000;

    private final Stage<T> stage;
    private final StageSettings settings;
    private final Tracing tracing;
    private final Mailbox mailbox;
    private final LeaseKeeper keeper;
    private final Limits limits;
    private final Sampling sampling;
    private final Leasing leasing;
    private final Dispatch<T> dispatch;
    private final Settler<T> settler;
    private final Intake<T> intake;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private Phase phase = Phase.PAUSED;
    private Optional<String> failure = Optional.empty();
    private final Set<Held<T>> inHand = new LinkedHashSet<>();

    /** Of these, those that failed and rest. */
    private final Set<Held<T>> failed = new HashSet<>();

    private long leased;
    private long timeouts;

    private final Attempt.Listener<T> listener = new Attempt.Listener<>() {
        @Override
        public void concluded(Held<T> task, Conclusion conclusion) {
            mailbox.step(() -> {
                // Otherwise it took too long, or its lease is lost.
                if (task.state == State.RUNNING) {
                    settler.conclude(task, conclusion);
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
                        .forEach(task -> settler.conclude(task, Conclusion.retry("handler: returned without a word")));
                goOn();
            });
        }
    };

    private final Settler.Listener<T> settled = new Settler.Listener<>() {
        @Override
        public void over(Held<T> task) {
            release(task);
        }

        @Override
        public void rest(Held<T> task, Duration delay) {
            StageRunner.this.rest(task, delay);
        }

        @Override
        public void restAfterFailure(Held<T> task, Duration delay) {
            failed.add(task);
            rest(task, delay);
            lease();
        }

        @Override
        public void misdirected(String reason) {
            failure = Optional.of(reason);
            stopLeasing();
            giveBackWaiting();
        }
    };

    StageRunner(Stage<T> stage, Pipeline pipeline, Surroundings world) {
        this.stage = stage;
        this.settings = stage.settings();
        Warnings warnings = new Warnings("stage " + stage.name(), LOG, world.timer());
        this.tracing = world.tracing(new Guard(warnings));
        this.mailbox = new Mailbox(world, this::fail);
        this.keeper = world.tasks().keepLeases(settings.lease());
        this.limits = new Limits(settings);
        this.sampling = new Sampling(settings, mailbox.nanoTime());
        this.leasing = new Leasing(
                stage,
                pipeline.group(),
                world.tasks(),
                mailbox,
                sampling,
                warnings,
                leased -> leased.forEach(this::take),
                this::goOn);
        this.dispatch =
                new Dispatch<>(stage, limits, mailbox, world.handlersOf(stage), tracing, listener, this::timeOut);
        this.settler = new Settler<>(stage, pipeline.targets(stage), mailbox, world, warnings, settled);
        this.intake = new Intake<>(stage, tracing, dispatch, settler);
        steer();
    }

    /** The controllers, if there are any, see what the stage does for as long as it leases. */
    private void steer() {
        List<Lever> levers = limits.levers(this::limited);
        if (!levers.isEmpty()) {
            new Steering(
                            "stage " + stage.name(),
                            mailbox,
                            levers,
                            nowNanos -> sampling.sample(
                                    nowNanos, dispatch.waiting(), dispatch.running(), phase == Phase.RUNNING),
                            () -> phase != Phase.RUNNING && phase != Phase.PAUSED)
                    .begin();
        }
    }

    /** Leases from now on, until it is paused or drained. */
    void resume() {
        mailbox.step(() -> {
            if (phase == Phase.PAUSED) {
                phase = Phase.RUNNING;
                failure = Optional.empty();
                lease();
            }
        });
    }

    /** Leases nothing more; what is in our hands goes on. */
    void pause() {
        mailbox.step(this::stopLeasing);
    }

    private void stopLeasing() {
        if (phase == Phase.RUNNING) {
            phase = Phase.PAUSED;
            leasing.end(!inHand.isEmpty(), () -> phase == Phase.RUNNING);
        }
    }

    /**
     * Leases nothing any more, gives back what no handler has, and waits for those that run. Completes when nothing is in our hands, or a
     * little after the deadline, when what still runs was interrupted; its leases end by themselves.
     */
    CompletableFuture<Void> drain(Duration deadline) {
        mailbox.step(() -> {
            if (phase == Phase.RUNNING || phase == Phase.PAUSED) {
                phase = Phase.DRAINING;
                settler.draining();
                leasing.end(!inHand.isEmpty(), () -> false);
                giveBackWaiting();
                mailbox.after(deadline, this::interrupt);
                stopIfEmpty();
            }
        });
        return stopped();
    }

    /** Complete once it does nothing any more. */
    CompletableFuture<Void> stopped() {
        return stopped.copy();
    }

    CompletableFuture<StageStatus> status() {
        CompletableFuture<StageStatus> status = new CompletableFuture<>();
        mailbox.look(() -> status.complete(new StageStatus(
                stage.name(),
                phase,
                dispatch.waiting(),
                dispatch.running(),
                dispatch.abandoned(),
                limits.concurrency(),
                limits.maxBatch(),
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
                leasing.trouble().or(settler::trouble))));
        return status;
    }

    /** Whatever has changed: what may be done is done. */
    private void goOn() {
        dispatch.run();
        lease();
        stopIfEmpty();
    }

    private void lease() {
        if (phase == Phase.RUNNING && !dispatch.isStuck()) {
            int free = Math.min(failed.size(), MAX_FAILED);
            int permits = limits.inHand() + free - inHand.size() - limits.maxBatch() * dispatch.abandoned();
            leasing.ask(permits);
            if (permits <= 0) {
                giveBackCrowd();
            }
        }
    }

    /** While keys that are busy keep handlers idle, they leave permits for others. */
    private void giveBackCrowd() {
        dispatch.removeCrowd(settler::serverTime)
                .forEach((task, until) ->
                        settler.settle(task, task.isUntried() ? GiveBack.postponed(until) : GiveBack.until(until)));
    }

    /** A controller has changed what the stage may have in hand. */
    private void limited() {
        giveBackIfStuck();
        goOn();
    }

    /** While no call returns, what waits is better off elsewhere. */
    private void giveBackIfStuck() {
        if (dispatch.isStuck()) {
            giveBackWaiting();
        }
    }

    /** Those that rest come first: the others may wait behind them. */
    private void giveBackWaiting() {
        inHand.stream().filter(task -> task.state == State.RESTING).toList().forEach(this::giveBackResting);
        giveBack(dispatch.removeAll());
    }

    private void giveBackResting(Held<T> task) {
        failed.remove(task);
        giveBack(List.of(task));
    }

    private void giveBack(List<Held<T>> waiting) {
        waiting.forEach(task -> settler.settle(task, task.isUntried() ? GiveBack.UNTRIED : GiveBack.AT_ONCE));
    }

    private void take(LeasedTask lease) {
        if (phase == Phase.STOPPED) {
            return;
        }
        leased++;
        KeptLease kept = keeper.keep(lease);
        Intake.Key key = intake.keyOf(lease);
        Held<T> task = new Held<>(stage, kept, key.text(), mailbox.nanoTime());
        inHand.add(task);
        CompletableFuture<?> _ = kept.lost().thenAccept(loss -> mailbox.step(() -> lose(task, loss.status())));
        if (phase == Phase.DRAINING || failure.isPresent() || dispatch.isStuck()) {
            settler.settle(task, GiveBack.UNTRIED);
        } else {
            intake.take(task, key);
        }
    }

    private void lose(Held<T> task, Status why) {
        // One that has ended without a successor still dequeues; whether there is one, a settlement on its way finds
        // out.
        task.leaseIsLost = why != Status.LEASE_EXPIRED;
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
                abandonIfInVain(requireNonNull(task.attempt));
            }
            // The reply to its settlement tells more: perhaps it was applied, and that is how the lease ended.
            case SETTLING, GONE -> {}
        }
    }

    /** Its lane waits for it. */
    private void rest(Held<T> task, Duration delay) {
        task.state = State.RESTING;
        mailbox.after(delay, () -> {
            if (task.state != State.RESTING) {
                return;
            }
            if (dispatch.isWithHandler(task)) {
                // The handler has said what came of it, and still has not returned: whoever gets it next gets those
                // behind it, too.
                giveBackResting(task);
                giveBack(dispatch.removeBehind(task));
                return;
            }
            failed.remove(task);
            task.state = State.READY;
            task.attempt = null;
            dispatch.addAgain(task);
            giveBackIfStuck();
            dispatch.run();
        });
    }

    private void timeOut(Attempt<T> attempt) {
        List<Held<T>> late = attempt.tasks().stream()
                .filter(task -> task.state == State.RUNNING)
                .toList();
        for (Held<T> task : late) {
            task.cancel();
            settler.conclude(task, Conclusion.retry("handler: took longer than " + settings.timeout()));
        }
        timeouts += late.isEmpty() ? 0 : 1;
        abandonIfInVain(attempt);
    }

    /** It keeps its permits and its thread until it returns. */
    private void abandonIfInVain(Attempt<T> attempt) {
        if (attempt.isInVain()) {
            dispatch.abandon(attempt);
            giveBackIfStuck();
        }
    }

    private void release(Held<T> task) {
        sampling.gone(task, mailbox.nanoTime());
        task.letGo();
        inHand.remove(task);
        dispatch.gone(task);
        lease();
        stopIfEmpty();
    }

    private void interrupt() {
        if (phase == Phase.DRAINING) {
            settler.stopping();
            dispatch.interruptAll();
            mailbox.after(LAST_WORDS, this::stop);
        }
    }

    private void stopIfEmpty() {
        if (phase == Phase.DRAINING && !leasing.isUnderWay() && inHand.isEmpty() && dispatch.running() == 0) {
            stop();
        }
    }

    private void stop() {
        if (phase == Phase.STOPPED) {
            return;
        }
        if (!inHand.isEmpty()) {
            LOG.warn(
                    "stage {}: stops with {} tasks unsettled (they are offered again when their leases end)",
                    stage.name(),
                    inHand.size());
        }
        phase = Phase.STOPPED;
        settler.stopped();
        inHand.forEach(task -> task.ended(TaskTrace.End.LOST, "the worker stopped before it was settled"));
        keeper.close();
        stopped.complete(null);
    }

    /**
     * After a bug nothing is known for certain, so nothing is begun any more. Handlers are interrupted, and what none of them has is given back; no lease is renewed, so the others
     * end by themselves.
     */
    private void fail(Throwable bug) {
        phase = Phase.FAILED;
        failure = Optional.of(Conclusion.textOf(bug));
        try {
            keeper.close();
            leasing.stop();
            dispatch.interruptAll();
            inHand.stream()
                    .filter(task -> task.state == State.READY || task.state == State.RESTING)
                    .forEach(settler::abandon);
            inHand.forEach(task -> task.ended(TaskTrace.End.LOST, "the stage was stopped by a bug"));
        } finally {
            stopped.complete(null);
            LOG.error("stage {}: stopped by a bug (its leases end, and others get its tasks)", stage.name(), bug);
        }
    }
}
