package io.taskmaster.stage.worker;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.KeptLease;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.model.GroupName;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.worker.Held.State;
import io.taskmaster.stage.worker.Settlement.Bury;
import io.taskmaster.stage.worker.Settlement.GiveBack;
import io.taskmaster.stage.worker.StageStatus.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one stage: leases tasks when there are permits for them, gives them to the handler, and has what comes of each committed.
 *
 * <p>A permit stands for one task in our hands, from before it is asked for until its settlement is committed; so what is leased is bounded
 * before a thread or a byte is spent on it. One lease call is under way at a time, for as many tasks as there are permits: while much is
 * settled they come in batches by themselves. All leases in our hands are renewed. A lost lease frees the permit at once and cancels the
 * handler; what that returns is thrown away, and if nobody noticed the loss in time the server refuses the commit (paper section 3.4).
 *
 * <p>Each event is a step in a mailbox: a reply, an outcome, a loss, an alarm. Steps run one after the other and never block, so there are
 * no locks here, and a test that owns executors and time owns everything that can happen.
 */
final class StageRunner<T> {

    private static final Logger LOG = LoggerFactory.getLogger(StageRunner.class);

    /** How long a lease call that nobody wants any more has to come back. */
    private static final Duration WAY_BACK = Duration.ofMillis(500);

    /** Between lease calls that fail. */
    private static final Duration REST = Duration.ofSeconds(1);

    /** How long interrupted handlers have to return, and their tasks to be given back, before a stage stops without them. */
    static final Duration LAST_WORDS = Duration.ofSeconds(3);

    private final Stage<T> stage;
    private final StageSettings settings;
    private final TaskService tasks;
    private final Executor handlers;
    private final Mailbox mailbox;
    private final LeaseRequest request;
    private final LeaseKeeper keeper;
    private final Trouble trouble;
    private final Settler<T> settler;
    private final Attempts<T> attempts;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private Phase phase = Phase.PAUSED;
    private @Nullable CompletableFuture<List<LeasedTask>> poll;
    private boolean resting;
    private final Set<Held<T>> inHand = new LinkedHashSet<>();
    private final Lanes<T> ready;

    /** When time is going to let a task through that waits, as far as an alarm is set for it. */
    private OptionalLong wakesNanos = OptionalLong.empty();

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
                attempts.ended(attempt);
                for (Held<T> task : attempt.tasks()) {
                    switch (task.state) {
                        case RUNNING -> settler.conclude(task, Conclusion.retry("handler: returned without a word"));
                        case GONE -> ready.over(task, mailbox.nanoTime());
                        case READY, RESTING, SETTLING -> {}
                    }
                }
                dispatch();
                lease();
                stopIfEmpty();
            });
        }
    };

    StageRunner(Stage<T> stage, Optional<GroupName> group, Surroundings world) {
        this.stage = stage;
        this.settings = stage.settings();
        this.tasks = world.tasks();
        this.handlers = world.handlers();
        this.mailbox = new Mailbox(world);
        this.request = LeaseRequest.from(stage.input().selector(group))
                .length(settings.lease())
                .maxWait(settings.maxWait())
                .maxLeasedPerQueue(settings.maxPerQueue())
                .serviceClass(settings.serviceClass());
        this.keeper = tasks.keepLeases(settings.lease());
        this.trouble = new Trouble(stage.name(), "lease");
        this.ready = new Lanes<>(settings.keys(), settings.rate(), mailbox.nanoTime());
        this.settler = new Settler<>(stage, mailbox, world, this::release, this::rest);
        this.attempts = new Attempts<>(mailbox, settings.timeout(), this::timeOut);
    }

    /** Leases from now on, until it is paused or drained. */
    void resume() {
        mailbox.step(() -> {
            if (phase == Phase.PAUSED) {
                phase = Phase.RUNNING;
                lease();
            }
        });
    }

    /** Leases nothing more; what is in our hands goes on. */
    void pause() {
        mailbox.step(() -> {
            if (phase == Phase.RUNNING) {
                phase = Phase.PAUSED;
                endPoll();
            }
        });
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
                endPoll();
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
        mailbox.step(() -> status.complete(new StageStatus(
                stage.name(),
                phase,
                ready.size(),
                attempts.count(),
                attempts.abandoned(),
                settler.settling(),
                settler.done(),
                settler.handedOn(),
                settler.retried(),
                settler.dead(),
                settler.lost(),
                timeouts,
                settler.lastFailure(),
                trouble.current().or(settler::trouble))));
        return status;
    }

    private void lease() {
        int permits = settings.inHand() - inHand.size() - settings.maxBatch() * attempts.abandoned();
        if (phase == Phase.RUNNING && poll == null && !resting && permits > 0 && !isStuck()) {
            CompletableFuture<List<LeasedTask>> call = Mailbox.call(() -> tasks.lease(request(permits)));
            poll = call;
            mailbox.whenDone(call, (leased, error) -> {
                poll = null;
                if (leased != null) {
                    trouble.isOver();
                    leased.forEach(this::take);
                } else if (!call.isCancelled()) {
                    trouble.met(Trouble.of(error));
                    restFromLeasing();
                }
                dispatch();
                lease();
                stopIfEmpty();
            });
        }
    }

    private LeaseRequest request(int permits) {
        LeaseRequest some = request.maxTasks(permits);
        return settings.maxPid()
                .map(last -> some.maxPid(last.apply(mailbox.now())))
                .orElse(some);
    }

    /**
     * A lease call that has been decided may be on its way back, and what it brings is ours for the length of a lease; so it has a moment to
     * come before it is cancelled.
     */
    private void endPoll() {
        CompletableFuture<List<LeasedTask>> ending = poll;
        if (ending != null) {
            mailbox.after(WAY_BACK, () -> {
                if (phase != Phase.RUNNING) {
                    ending.cancel(true);
                }
            });
        }
    }

    private void giveBackWaiting() {
        ready.removeAll().forEach(task -> settler.settle(task, GiveBack.AT_ONCE));
        inHand.stream()
                .filter(task -> task.state == State.RESTING)
                .toList()
                .forEach(task -> settler.settle(task, GiveBack.AT_ONCE));
    }

    private void restFromLeasing() {
        resting = true;
        mailbox.after(REST, () -> {
            resting = false;
            lease();
        });
    }

    private void take(LeasedTask lease) {
        if (phase == Phase.STOPPED) {
            return;
        }
        KeptLease kept = keeper.keep(lease);
        Optional<String> key = keyOf(lease);
        Held<T> task = new Held<>(stage, kept, key.orElse(""), mailbox.nanoTime());
        inHand.add(task);
        CompletableFuture<?> _ = kept.lost().thenAccept(loss -> mailbox.step(() -> lose(task, loss.status())));
        if (phase == Phase.DRAINING) {
            settler.settle(task, GiveBack.AT_ONCE);
        } else if (lease.attempt() > settings.retry().maxAttempts()) {
            settler.settle(task, new Bury("leased in vain %d times".formatted(lease.attempt() - 1), true));
        } else if (key.isEmpty()) {
            settler.settle(task, new Bury("key: none (expected: one for each task)", true));
        } else {
            ready.add(task, mailbox.nanoTime());
        }
    }

    private Optional<String> keyOf(LeasedTask lease) {
        try {
            return Optional.ofNullable(settings.keys().key().apply(lease));
        } catch (RuntimeException e) {
            LOG.warn("stage {}: no key of task {}", stage.name(), lease.pid(), e);
            return Optional.empty();
        }
    }

    private void lose(Held<T> task, Status why) {
        // One that has ended without a successor still dequeues; whether there is one, a settlement on its way finds
        // out.
        task.leaseIsLost = why != Status.LEASE_EXPIRED;
        switch (task.state) {
            case READY -> {
                ready.remove(task);
                settler.lose(task);
            }
            case RESTING -> settler.lose(task);
            case RUNNING -> {
                task.cancel();
                settler.lose(task);
                abandonIfInVain(requireNonNull(task.attempt));
            }
            // The reply to its settlement tells more: perhaps it was applied, and that is how the lease ended.
            case SETTLING, GONE -> {}
        }
    }

    private void dispatch() {
        while (attempts.count() < settings.concurrency()) {
            List<Held<T>> together = takeReady();
            if (together.isEmpty()) {
                wakeInTime();
                return;
            }
            List<AtWork<T>> presented = together.stream().map(Held::present).toList();
            Attempt<T> attempt = new Attempt<>(stage, presented, mailbox.nanoTime(), listener);
            together.forEach(task -> task.begin(attempt));
            attempts.begun(attempt);
            handlers.execute(attempt);
        }
    }

    private List<Held<T>> takeReady() {
        List<Held<T>> together = new ArrayList<>();
        while (together.size() < settings.maxBatch()) {
            Held<T> task = ready.next(mailbox.nanoTime());
            if (task == null) {
                break;
            }
            together.add(task);
        }
        return together;
    }

    /** Nobody else is going to tell when a pace lets the next task through. */
    private void wakeInTime() {
        OptionalLong opens = ready.opensNanos();
        if (opens.isEmpty() || (wakesNanos.isPresent() && wakesNanos.getAsLong() - opens.getAsLong() <= 0)) {
            return;
        }
        wakesNanos = opens;
        mailbox.after(Duration.ofNanos(opens.getAsLong() - mailbox.nanoTime()), () -> {
            wakesNanos = OptionalLong.empty();
            dispatch();
        });
    }

    /** Its lane waits for it. */
    private void rest(Held<T> task, Duration delay) {
        task.state = State.RESTING;
        mailbox.after(delay, () -> {
            if (task.state != State.RESTING) {
                return;
            }
            if (attempts.has(task.attempt)) {
                // The handler has said what came of it, and still has not returned.
                settler.settle(task, GiveBack.AT_ONCE);
                return;
            }
            task.state = State.READY;
            task.attempt = null;
            ready.addAgain(task, mailbox.nanoTime());
            dispatch();
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

    /** It keeps its permits and its thread until it returns. If all have gone that way, what waits is better off elsewhere. */
    private void abandonIfInVain(Attempt<T> attempt) {
        if (attempt.isInVain()) {
            attempts.abandon(attempt);
            if (isStuck()) {
                giveBackWaiting();
            }
        }
    }

    /** No handler that was called returns. */
    private boolean isStuck() {
        return attempts.abandoned() == settings.concurrency();
    }

    private void release(Held<T> task) {
        task.letGo();
        inHand.remove(task);
        if (task.attempt != null && !attempts.has(task.attempt)) {
            ready.over(task, mailbox.nanoTime());
            dispatch();
        }
        lease();
        stopIfEmpty();
    }

    private void interrupt() {
        if (phase == Phase.DRAINING) {
            settler.stopping();
            attempts.forEach(Attempt::cancel);
            mailbox.after(LAST_WORDS, this::stop);
        }
    }

    private void stopIfEmpty() {
        if (phase == Phase.DRAINING && poll == null && inHand.isEmpty() && attempts.count() == 0) {
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
        keeper.close();
        stopped.complete(null);
    }
}
