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
import io.taskmaster.stage.worker.Settlement.Advance;
import io.taskmaster.stage.worker.Settlement.Bury;
import io.taskmaster.stage.worker.Settlement.GiveBack;
import io.taskmaster.stage.worker.task.HandlerResult;
import io.taskmaster.stage.worker.task.InFlightTask;
import io.taskmaster.stage.worker.task.InFlightTask.State;
import io.taskmaster.stage.worker.task.Mailbox;
import io.taskmaster.stage.worker.task.TaskTrace;
import io.taskmaster.stage.worker.task.TaskTrace.End;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The last step of a task in a worker: it turns a {@link HandlerResult} into a {@link Settlement} and commits that,
 * until it is applied or known to be useless.
 *
 * <p>A settlement is one update that ends the lease, so repeating it is harmless: once it is applied the lease is over,
 * and a repetition is refused (paper section 3.4). Every result of a commit has one consequence:
 *
 * <pre>{@code
 * settlement    | result of the commit               | consequence
 * any           | applied                            | counted; the task is GONE
 * any           | NOT_FOUND, LEASE_LOST              | counted as lost; the task is GONE
 * any           | error that may pass                | the same again after a pause of 100 ms, doubled up to 25.6 s
 * Advance       | refused: a PID is taken            | the answer of the hand-off, at most 100 times
 * Advance       | error: the hand-off is at fault    | Bury
 * Advance       | error: not served here             | retry
 * Bury          | refused: the dead letter is leased | the same again after a pause
 * Bury          | HEADERS_TOO_LARGE                  | Bury with fewer headers, while there is a smaller form
 * Bury, release | any other error                    | counted as lost; the lease expires by itself
 * }</pre>
 *
 * <p>A retry is a release with a not-before time, or, in a stage that keeps the order, a rest under the same lease, so
 * that no task of its lane overtakes it. At the last attempt it becomes a dead letter. Retries beyond the
 * {@link TaskRetryBudget} wait for at least half of the longest delay.
 *
 * <p>Invariants: a task whose lease is lost is not tried again here, since another worker may hold it. While the stage
 * drains no task rests. A hand-off to a queue that the stage may not use pauses the stage and releases the task
 * untouched, since only a change of the program helps.
 *
 * <p>Single-threaded: owned by a stage runner. Nothing blocks: replies come back as steps of the {@link Mailbox}.
 */
final class Settler<T> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /** The maximum number of doublings of the pause between failed commits: 25.6 s at most, with jitter of one half. */
    private static final int MAX_DOUBLINGS = 8;

    /** The number of refusals of a hand-off that are answered with another outcome. The next one is a retry. */
    private static final int MAX_REFUSALS = 100;

    private final StageSettings settings;
    private final Mailbox mailbox;
    private final Committer committer;
    private final Executor handlers;
    private final RandomGenerator random;
    private final TaskRetryBudget budget;
    private final OutageReporter outageReporter;
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

    /** The actions on a task besides its commit. */
    interface Listener<T> {

        /** Removes a task that is not held any more. */
        void onSettled(InFlightTask<T> task);

        /** Keeps a task and its lease, and passes it to the handler again after the delay. */
        void rest(InFlightTask<T> task, Duration delay);

        /** Keeps a task that failed, with its lease and its place in its lane, and tries it again after the delay. */
        void restAfterFailure(InFlightTask<T> task, Duration delay);

        /** Stops the stage's leasing, because a hand-off named a queue outside its targets. */
        void settleMisdirected(String reason);
    }

    /**
     * Creates the settler of one stage.
     *
     * @param targets the queues that hand-offs may name
     */
    Settler(
            Stage<T> stage,
            Set<TaskQueue<?>> targets,
            Mailbox mailbox,
            WorkerEnvironment environment,
            Warnings warnings,
            Listener<T> listener) {
        this.settings = stage.settings();
        this.mailbox = mailbox;
        this.committer = new Committer(environment.tasks());
        this.handlers = environment.handlers();
        this.random = environment.random().split();
        this.budget = new TaskRetryBudget(settings.retry().budget());
        this.outageReporter = new OutageReporter("commit", warnings);
        this.warnings = warnings;
        this.targets = Set.copyOf(targets);
        this.listener = listener;
    }

    /** Makes tasks that would rest be released at once from now on. */
    void draining() {
        draining = true;
    }

    /**
     * Makes retries be released at once from now on, since their handlers were interrupted. They count as attempts all
     * the same.
     */
    void stopping() {
        stopping = true;
    }

    /** Ends the repetition of failed commits: leases are not renewed any more, so these tasks are lost. */
    void stopped() {
        stopped = true;
    }

    void conclude(InFlightTask<T> task, HandlerResult handlerResult) {
        // A handler that was interrupted fails because of the shutdown, so its failure is not reported as one of the
        // stage.
        if (!stopping && handlerResult.outcome() instanceof Outcome.Retry retry) {
            failed(retry.reason(), handlerResult.cause());
        }
        task.trace().concluded(handlerResult.outcome(), handlerResult.cause());
        switch (handlerResult.outcome()) {
            case Outcome.Done() -> settle(task, Advance.DONE);
            case HandOff handOff -> advance(task, handOff, handlerResult.enqueues());
            case Outcome.Retry retry when stopping -> settle(task, GiveBack.AT_ONCE);
            case Outcome.Retry(String reason, Optional<Duration> after) -> retry(task, reason, after);
            case Outcome.Hold(String reason, Duration delay) -> hold(task, reason, delay);
            case Outcome.Postpone(String reason, Duration delay) -> postpone(task, reason, delay);
            case Outcome.Dead(String reason) -> settle(task, Bury.of(reason));
        }
    }

    private void failed(String reason, Optional<Throwable> cause) {
        lastFailure = Optional.of(reason);
        warnings.warn("handler", "a task will be retried: " + reason, cause.orElse(null));
    }

    private void advance(InFlightTask<T> task, HandOff handOff, List<Enqueue> enqueues) {
        Optional<TaskQueue<?>> misdirected = handOff.tasks().stream()
                .<TaskQueue<?>>map(NewTask::queue)
                .filter(queue -> !targets.contains(queue))
                .findFirst();
        if (misdirected.isEmpty()) {
            settle(task, new Advance(enqueues, Optional.of(handOff)));
            return;
        }
        String reason = "hand-off: to %s (expected: one of %s)".formatted(misdirected.get(), targets);
        warnings.warn("hand-off", reason + "; the stage is paused, and the task is released", null);
        // The stage is at fault, and not the task, so the attempt does not count against the task.
        settle(task, GiveBack.UNTRIED);
        listener.settleMisdirected(reason);
    }

    private void hold(InFlightTask<T> task, String reason, Duration delay) {
        // A task that is held keeps a permit and its lease, so a long wait must not be a hold (ADR 18).
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
        } else if (isKept(task)) {
            failed(reason, Optional.empty());
            task.ended(End.HELD, reason);
            listener.rest(task, delay);
        }
    }

    private void postpone(InFlightTask<T> task, String reason, Duration delay) {
        lastFailure = Optional.of(reason);
        settle(task, GiveBack.postponed(serverTime(task).plus(delay)));
    }

    /** Prepares a task to rest with the stage. Returns false, and drops the task, if its lease is lost. */
    private boolean isKept(InFlightTask<T> task) {
        if (task.leaseIsLost) {
            lose(task);
            return false;
        }
        // A hand-off that was refused may end in a hold or a retry: then the task leaves SETTLING without a commit.
        if (task.state == State.SETTLING) {
            settling--;
            task.failures = 0;
            task.refusals = 0;
        }
        return true;
    }

    private void retry(InFlightTask<T> task, String reason, Optional<Duration> after) {
        int attempt = task.lease().attempt();
        if (attempt >= settings.retry().maxAttempts()) {
            settle(task, Bury.of(reason));
            return;
        }
        Duration delay = after.orElseGet(() -> budget.tryTake()
                ? settings.retry().delay(attempt, random)
                : settings.retry().delayOverBudget(random));
        // Without an order to keep, the task waits at the server, where it needs no permit. A READY task, whose key
        // function failed, was never dispatched, so it has no place in a lane that it could keep.
        if (!settings.keepsOrder() || task.state == State.READY) {
            settle(task, GiveBack.until(serverTime(task).plus(delay)));
        } else if (draining) {
            // The tasks behind it are released, too: the worker that leases them next has to get this one first.
            settle(task, GiveBack.AT_ONCE);
        } else if (isKept(task)) {
            retried++;
            task.ended(End.RETRIED, reason);
            task.countAttempt();
            listener.restAfterFailure(task, delay);
        }
    }

    /**
     * Returns the present time by the server's clock, derived from the time of the lease. The worker's own clock may be
     * wrong.
     */
    Instant serverTime(InFlightTask<T> task) {
        return task.lease().leaseExpires().minus(settings.lease()).plusNanos(mailbox.nanoTime() - task.receivedNanos());
    }

    void settle(InFlightTask<T> task, Settlement settlement) {
        // One settlement may follow another one that was refused or has failed; the task counts once.
        if (task.state != State.SETTLING) {
            task.state = State.SETTLING;
            settling++;
        }
        task.failures = 0;
        commit(task, settlement);
    }

    /** Releases a task that no handler has, and ignores the reply: after a bug no step would run to handle it. */
    void abandon(InFlightTask<T> task) {
        Settlement settlement = task.isUntried() ? GiveBack.UNTRIED : GiveBack.AT_ONCE;
        var unused = Mailbox.call(() -> committer.commit(settlement.update(task.lease(), settings.serviceClass())));
    }

    /** Counts a task as lost whose lease ended before its settlement was applied. */
    void lose(InFlightTask<T> task) {
        lost++;
        task.ended(End.LOST, "its lease was lost");
        finish(task);
    }

    private void commit(InFlightTask<T> task, Settlement settlement) {
        mailbox.whenDone(
                Mailbox.call(() -> committer.commit(settlement.update(task.lease(), settings.serviceClass()))),
                (result, error) -> {
                    if (result == null) {
                        failed(task, settlement, error);
                        return;
                    }
                    // A refusal is a reply, too, so the server is reachable.
                    outageReporter.onRecovery();
                    if (result.success()) {
                        committed(task, settlement, result);
                    } else if (Settlement.isLeaseGone(result)) {
                        lose(task);
                    } else {
                        refused(task, settlement, result);
                    }
                });
    }

    private void committed(InFlightTask<T> task, Settlement settlement, UpdateResult result) {
        switch (settlement) {
            case Advance advance -> {
                done++;
                handedOn += result.enqueues().stream()
                        .filter(status -> status == Status.OK)
                        .count();
                budget.onProgress();
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
            case Bury bury -> {
                dead++;
                task.ended(End.DEAD, bury.reason());
            }
        }
        finish(task);
    }

    /** Handles an update that was refused as a whole because of an enqueue; none of it was applied. */
    private void refused(InFlightTask<T> task, Settlement settlement, UpdateResult refusal) {
        task.trace().refused("a PID is already queued");
        if (!(settlement instanceof Advance advance) || advance.handOff().isEmpty()) {
            // The dead letter with this PID is leased, by an operator's redrive: it becomes free again.
            commitLater(task, settlement);
        } else if (++task.refusals > MAX_REFUSALS) {
            conclude(task, HandlerResult.retry("hand-off: rejected %d times".formatted(task.refusals)));
        } else {
            TaskTrace trace = task.trace();
            HandOff handOff = advance.handOff().get();
            // The application answers the refusal, and its code must not run in the mailbox.
            handlers.execute(() -> {
                HandlerResult next = HandlerResult.afterRefusal(task.lease(), trace, handOff, refusal);
                mailbox.step(() -> {
                    // The loss of a lease is only noted while the task is SETTLING, and no commit is in flight that
                    // would notice it.
                    if (task.leaseIsLost) {
                        lose(task);
                    } else {
                        conclude(task, next);
                    }
                });
            });
        }
    }

    private void failed(InFlightTask<T> task, Settlement settlement, @Nullable Throwable failure) {
        TaskMasterException error = OutageReporter.of(failure);
        task.trace().refused(error.code().toString());
        // Every settlement is guarded by the lease, so without it no repetition can succeed.
        if (task.leaseIsLost) {
            lose(task);
            return;
        }
        if (mayPass(failure)) {
            outageReporter.met(error);
            commitLater(task, settlement);
            return;
        }
        switch (settlement) {
            case Advance advance
            when isHandOffFault(failure) -> settle(task, Bury.of("hand-off: " + error.getMessage()));
            case Advance advance -> conclude(task, HandlerResult.retry("hand-off: " + error.getMessage()));
            case Bury dead
            when error.code() == ErrorCode.HEADERS_TOO_LARGE && dead.smaller().isPresent() ->
                settle(task, dead.smaller().get());
            case Bury bury -> giveUp(task, error);
            case GiveBack giveBack -> giveUp(task, error);
        }
    }

    /** Gives up on an update that has no smaller form: the lease expires by itself, and the task is offered again. */
    private void giveUp(InFlightTask<T> task, TaskMasterException error) {
        outageReporter.met(error);
        lose(task);
    }

    /**
     * Returns whether a repetition may succeed. Failures that are not errors of the server are failures to build the
     * request at all; they do not pass.
     */
    private static boolean mayPass(@Nullable Throwable failure) {
        return failure instanceof TaskMasterException error
                && error.code().advice() != Advice.CALLER_FAULT
                && error.code().advice() != Advice.NOT_SERVED;
    }

    /**
     * Returns whether the hand-off itself can never be accepted. Otherwise the server is at fault, which may not
     * support the request yet, or this worker.
     */
    private static boolean isHandOffFault(@Nullable Throwable failure) {
        return failure instanceof TaskMasterException error
                ? error.code().advice() == Advice.CALLER_FAULT
                : failure instanceof RuntimeException;
    }

    private void commitLater(InFlightTask<T> task, Settlement settlement) {
        long nanos = FIRST_PAUSE.toNanos() << Math.min(task.failures, MAX_DOUBLINGS);
        task.failures++;
        // Half of the pause is random, so the tasks of one failed call do not all come back at one instant.
        mailbox.after(Duration.ofNanos(nanos / 2 + random.nextLong(nanos / 2)), () -> {
            if (task.leaseIsLost || stopped) {
                lose(task);
            } else {
                commit(task, settlement);
            }
        });
    }

    private void finish(InFlightTask<T> task) {
        if (task.state == State.SETTLING) {
            settling--;
        }
        task.state = State.GONE;
        listener.onSettled(task);
    }

    Optional<String> outage() {
        return outageReporter.current();
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
