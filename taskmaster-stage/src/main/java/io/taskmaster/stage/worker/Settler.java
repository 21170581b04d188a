package io.taskmaster.stage.worker;

import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Outcome.HandOff;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.worker.Held.State;
import io.taskmaster.stage.worker.Settlement.Advance;
import io.taskmaster.stage.worker.Settlement.Bury;
import io.taskmaster.stage.worker.Settlement.GiveBack;
import io.taskmaster.stage.worker.TaskTrace.End;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Brings what came of a task to the server, until it is committed or known to be in vain: what failed and may pass is sent again, what was
 * refused is decided anew, what can never be accepted becomes a dead letter. A task whose lease is lost is never tried again. Single-threaded:
 * owned by a stage runner.
 */
final class Settler<T> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /** Of the pause between commits that fail: up to half a minute. */
    private static final int MAX_DOUBLINGS = 8;

    /** How often a hand-off may be refused and answered with another one. */
    private static final int MAX_REFUSALS = 100;

    private final StageSettings settings;
    private final Mailbox mailbox;
    private final Committer committer;
    private final Executor handlers;
    private final RandomGenerator random;
    private final RetryBudget budget;
    private final Trouble trouble;
    private final Warnings warnings;
    private final Set<TaskQueue<?>> targets;
    private final Listener<T> listener;

    private boolean draining;
    private boolean stopping;
    private boolean stopped;
    private int settling;
    private long done;
    private long handedOn;
    private long retried;
    private long postponed;
    private long dead;
    private long lost;
    private Optional<String> lastFailure = Optional.empty();

    /** Hears what is to be done about tasks besides committing. */
    interface Listener<T> {

        /** A task is not ours any more. */
        void over(Held<T> task);

        /** The handler gets it again later. */
        void rest(Held<T> task, Duration delay);

        /** It is tried again in its place. */
        void restAfterFailure(Held<T> task, Duration delay);

        /** A hand-off goes where none may go. */
        void misdirected(String reason);
    }

    /**
     * @param targets where hand-offs may go
     */
    Settler(
            Stage<T> stage,
            Set<TaskQueue<?>> targets,
            Mailbox mailbox,
            Surroundings world,
            Warnings warnings,
            Listener<T> listener) {
        this.settings = stage.settings();
        this.mailbox = mailbox;
        this.committer = new Committer(world.tasks());
        this.handlers = world.handlers();
        this.random = world.random().split();
        this.budget = new RetryBudget(settings.retry().budget());
        this.trouble = new Trouble("commit", warnings);
        this.warnings = warnings;
        this.targets = Set.copyOf(targets);
        this.listener = listener;
    }

    /** From now on nothing rests in our hands. */
    void draining() {
        draining = true;
    }

    /** From now on what was not done is given back at once: its handler was interrupted. It was an attempt all the same. */
    void stopping() {
        stopping = true;
    }

    /** From now on what cannot be committed is left: nobody renews leases any more. */
    void stopped() {
        stopped = true;
    }

    void conclude(Held<T> task, Conclusion conclusion) {
        if (!stopping && conclusion.outcome() instanceof Outcome.Retry(String reason, var _)) {
            failed(reason, conclusion.cause());
        }
        task.trace().concluded(conclusion.outcome(), conclusion.cause());
        switch (conclusion.outcome()) {
            case Outcome.Done() -> settle(task, Advance.DONE);
            case HandOff handOff -> advance(task, handOff, conclusion.enqueues());
            case Outcome.Retry _ when stopping -> settle(task, GiveBack.AT_ONCE);
            case Outcome.Retry(String reason, Optional<Duration> after) -> again(task, reason, after);
            case Outcome.Hold(String reason, Duration delay) -> hold(task, reason, delay);
            case Outcome.Postpone(String reason, Duration delay) -> postpone(task, reason, delay);
            case Outcome.Dead(String reason) -> settle(task, Bury.of(reason));
        }
    }

    private void failed(String reason, Optional<Throwable> cause) {
        lastFailure = Optional.of(reason);
        warnings.warn("handler", "a task is to be tried again: " + reason, cause.orElse(null));
    }

    private void advance(Held<T> task, HandOff handOff, List<Enqueue> enqueues) {
        Optional<TaskQueue<?>> astray = handOff.tasks().stream()
                .<TaskQueue<?>>map(NewTask::queue)
                .filter(queue -> !targets.contains(queue))
                .findFirst();
        if (astray.isEmpty()) {
            settle(task, new Advance(enqueues, Optional.of(handOff)));
            return;
        }
        String reason = "hand-off: to %s (expected: one of %s)".formatted(astray.get(), targets);
        warnings.warn("hand-off", reason + "; the stage is paused, and the task is given back", null);
        settle(task, GiveBack.UNTRIED);
        listener.misdirected(reason);
    }

    private void hold(Held<T> task, String reason, Duration delay) {
        if (delay.compareTo(settings.lease()) >= 0) {
            warnings.warn(
                    "hold",
                    "a task is postponed: hold: %s (expected: shorter than the lease of %s)"
                            .formatted(delay, settings.lease()),
                    null);
            postpone(task, reason, delay);
            return;
        }
        if (draining) {
            settle(task, GiveBack.AT_ONCE);
        } else if (stays(task)) {
            failed(reason, Optional.empty());
            task.ended(End.HELD, reason);
            listener.rest(task, delay);
        }
    }

    private void postpone(Held<T> task, String reason, Duration delay) {
        lastFailure = Optional.of(reason);
        settle(task, GiveBack.postponed(serverTime(task).plus(delay)));
    }

    /** A task is going to rest in our hands, unless its lease is lost. */
    private boolean stays(Held<T> task) {
        if (task.leaseIsLost) {
            lose(task);
            return false;
        }
        if (task.state == State.SETTLING) {
            settling--;
            task.failures = 0;
            task.refusals = 0;
        }
        return true;
    }

    private void again(Held<T> task, String reason, Optional<Duration> after) {
        int attempt = task.lease().attempt();
        if (attempt >= settings.retry().maxAttempts()) {
            settle(task, Bury.of(reason));
            return;
        }
        Duration delay = after.orElseGet(() -> budget.takesOne()
                ? settings.retry().delay(attempt, random)
                : settings.retry().delayOverBudget(random));
        if (!settings.keepsOrder() || task.state == State.READY) {
            settle(task, GiveBack.until(serverTime(task).plus(delay)));
        } else if (draining) {
            // Those behind it are given back, too: whoever gets them has to get this one first.
            settle(task, GiveBack.AT_ONCE);
        } else if (stays(task)) {
            retried++;
            task.ended(End.RETRIED, reason);
            task.countAttempt();
            listener.restAfterFailure(task, delay);
        }
    }

    /** The server's clock, read from when it gave the lease; ours may be wrong. */
    Instant serverTime(Held<T> task) {
        return task.lease().leaseExpires().minus(settings.lease()).plusNanos(mailbox.nanoTime() - task.receivedNanos());
    }

    void settle(Held<T> task, Settlement settlement) {
        if (task.state != State.SETTLING) {
            task.state = State.SETTLING;
            settling++;
        }
        task.failures = 0;
        commit(task, settlement);
    }

    /** Gives a task back that no handler has, without a look at what comes of it: there are no steps any more. */
    void abandon(Held<T> task) {
        Settlement settlement = task.isUntried() ? GiveBack.UNTRIED : GiveBack.AT_ONCE;
        CompletableFuture<?> _ =
                Mailbox.call(() -> committer.commit(settlement.update(task.lease(), settings.serviceClass())));
    }

    /** Its lease is lost, before there was anything to commit. */
    void lose(Held<T> task) {
        lost++;
        task.ended(End.LOST, "its lease is lost");
        leave(task);
    }

    private void commit(Held<T> task, Settlement settlement) {
        mailbox.whenDone(
                Mailbox.call(() -> committer.commit(settlement.update(task.lease(), settings.serviceClass()))),
                (result, error) -> {
                    if (result == null) {
                        failed(task, settlement, error);
                        return;
                    }
                    trouble.isOver();
                    if (result.success()) {
                        committed(task, settlement, result);
                    } else if (Settlement.isGone(result)) {
                        lose(task);
                    } else {
                        refused(task, settlement, result);
                    }
                });
    }

    private void committed(Held<T> task, Settlement settlement, UpdateResult result) {
        switch (settlement) {
            case Advance _ -> {
                done++;
                handedOn += result.enqueues().stream()
                        .filter(status -> status == Status.OK)
                        .count();
                budget.gotOn();
                task.ended(End.DONE, "");
            }
            case GiveBack(Optional<Instant> notBefore, boolean untried) -> {
                if (notBefore.isEmpty()) {
                    task.ended(End.RELEASED, "");
                } else if (untried) {
                    postponed++;
                    task.ended(End.POSTPONED, "");
                } else {
                    retried++;
                    task.ended(End.RETRIED, "");
                }
            }
            case Bury(String reason, var _) -> {
                dead++;
                task.ended(End.DEAD, reason);
            }
        }
        leave(task);
    }

    /** An enqueue stood in the way; nothing was done. */
    private void refused(Held<T> task, Settlement settlement, UpdateResult refusal) {
        task.trace().refused("a PID is taken");
        if (!(settlement instanceof Advance(var _, Optional<HandOff> handOff)) || handOff.isEmpty()) {
            // A dead letter of its PID is leased, by somebody who brings it back.
            commitLater(task, settlement);
        } else if (++task.refusals > MAX_REFUSALS) {
            conclude(task, Conclusion.retry("hand-off: refused %d times".formatted(task.refusals)));
        } else {
            TaskTrace trace = task.trace();
            handlers.execute(() -> {
                Conclusion next = Conclusion.afterRefusal(task.lease(), trace, handOff.get(), refusal);
                mailbox.step(() -> {
                    if (task.leaseIsLost) {
                        lose(task);
                    } else {
                        conclude(task, next);
                    }
                });
            });
        }
    }

    private void failed(Held<T> task, Settlement settlement, @Nullable Throwable failure) {
        TaskMasterException error = Trouble.of(failure);
        task.trace().refused(error.code().toString());
        if (task.leaseIsLost) {
            lose(task);
            return;
        }
        if (mayPass(failure)) {
            trouble.met(error);
            commitLater(task, settlement);
            return;
        }
        switch (settlement) {
            case Advance _
            when isFaultOfTheHandOff(failure) -> settle(task, Bury.of("hand-off: " + error.getMessage()));
            case Advance _ -> conclude(task, Conclusion.retry("hand-off: " + error.getMessage()));
            case Bury dead
            when error.code() == ErrorCode.HEADERS_TOO_LARGE && dead.smaller().isPresent() ->
                settle(task, dead.smaller().get());
            case Bury _, GiveBack _ -> {
                // There is nothing smaller to say. The lease ends by itself, and the task is offered again.
                trouble.met(error);
                lose(task);
            }
        }
    }

    /** What is no error of the server's is one of the request, which cannot even be made. */
    private static boolean mayPass(@Nullable Throwable failure) {
        return failure instanceof TaskMasterException error
                && error.code().advice() != Advice.CALLER_FAULT
                && error.code().advice() != Advice.NOT_SERVED;
    }

    /** Otherwise it is one of the server, which may not know yet what is asked of it, or of this worker. */
    private static boolean isFaultOfTheHandOff(@Nullable Throwable failure) {
        return failure instanceof TaskMasterException error
                ? error.code().advice() == Advice.CALLER_FAULT
                : failure instanceof RuntimeException;
    }

    private void commitLater(Held<T> task, Settlement settlement) {
        long nanos = FIRST_PAUSE.toNanos() << Math.min(task.failures, MAX_DOUBLINGS);
        task.failures++;
        mailbox.after(Duration.ofNanos(nanos / 2 + random.nextLong(nanos / 2)), () -> {
            if (task.leaseIsLost || stopped) {
                lose(task);
            } else {
                commit(task, settlement);
            }
        });
    }

    private void leave(Held<T> task) {
        if (task.state == State.SETTLING) {
            settling--;
        }
        task.state = State.GONE;
        listener.over(task);
    }

    Optional<String> trouble() {
        return trouble.current();
    }

    Optional<String> lastFailure() {
        return lastFailure;
    }

    int settling() {
        return settling;
    }

    long done() {
        return done;
    }

    long handedOn() {
        return handedOn;
    }

    long retried() {
        return retried;
    }

    long postponed() {
        return postponed;
    }

    long dead() {
        return dead;
    }

    long lost() {
        return lost;
    }
}
