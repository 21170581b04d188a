package io.taskmaster.stage.worker;

import io.taskmaster.stage.Stage;
import io.taskmaster.stage.worker.task.Attempt;
import io.taskmaster.stage.worker.task.Attempts;
import io.taskmaster.stage.worker.task.InFlightTask;
import io.taskmaster.stage.worker.task.Mailbox;
import io.taskmaster.stage.worker.task.RunningTask;
import io.taskmaster.stage.worker.task.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The dispatcher of a stage: it passes the tasks that wait in the {@link TaskLanes} to the handler, in batches, with a
 * limited number of calls at once, as soon as keys and rates allow. A call of which no outcome counts any more is
 * abandoned, and keeps its place until it returns. Single-threaded: owned by a stage runner.
 */
final class Dispatch<T> {

    private final Stage<T> stage;
    private final StageLimits stageLimits;
    private final Mailbox mailbox;
    private final Executor handlers;
    private final Tracing tracing;
    private final Attempt.Listener<T> listener;
    private final TaskLanes<T> ready;
    private final Attempts<T> attempts;

    /** The times of the alarms that are set because a rate limit holds tasks back, in nanoseconds. */
    private final NavigableSet<Long> wakes = new TreeSet<>();

    /**
     * Creates the dispatcher of a stage.
     *
     * @param handlers the executor of calls
     * @param tracing the tracing of calls
     * @param listener the receiver of the events of each call, on the handler's thread
     * @param overdue the receiver of each call that times out
     */
    Dispatch(
            Stage<T> stage,
            StageLimits stageLimits,
            Mailbox mailbox,
            Executor handlers,
            Tracing tracing,
            Attempt.Listener<T> listener,
            Consumer<Attempt<T>> overdue) {
        this.stage = stage;
        this.stageLimits = stageLimits;
        this.mailbox = mailbox;
        this.handlers = handlers;
        this.tracing = tracing;
        this.listener = listener;
        this.ready = new TaskLanes<>(stage.settings().keys(), stage.settings().rate(), mailbox.nanoTime());
        this.attempts = new Attempts<>(mailbox, stage.settings().timeout(), overdue);
    }

    /** Appends a task to its lane, where it waits for the next {@link #run}. */
    void add(InFlightTask<T> task) {
        ready.add(task, mailbox.nanoTime());
    }

    /** Puts a task that rested at the head of its lane. */
    void requeue(InFlightTask<T> task) {
        ready.requeue(task, mailbox.nanoTime());
    }

    /** Removes a task that waits. */
    void remove(InFlightTask<T> task) {
        ready.remove(task);
    }

    /** Removes the waiting tasks of the same key, if the key rule orders them; otherwise none. */
    List<InFlightTask<T>> removeBehind(InFlightTask<T> task) {
        return stage.settings().keys().keepsOrder() ? ready.removeAll(task.key()) : List.of();
    }

    /** Removes all tasks that wait. */
    List<InFlightTask<T>> removeAll() {
        return ready.removeAll();
    }

    /**
     * Returns the time until which the tasks of a key are released at once, if a task was leased before it; both by the
     * server's clock.
     */
    Optional<Instant> closedUntil(String key, Instant leased) {
        return ready.closedUntil(key).filter(leased::isBefore);
    }

    /**
     * Removes the tasks beyond the fair share of their key, if handlers are idle although tasks wait, because their
     * keys hold those back.
     *
     * @param serverTime the present time by the server's clock
     * @return the removed tasks, each with the time until which its key is closed
     */
    Map<InFlightTask<T>, Instant> removeCrowd(Function<InFlightTask<T>, Instant> serverTime) {
        return attempts.count() < stageLimits.concurrency() && ready.areBlocked()
                ? ready.removeCrowd(stageLimits.inHand(), serverTime, mailbox.nanoTime())
                : Map.of();
    }

    /** Calls the handler for the tasks that wait, as far as the limits allow. */
    void run() {
        while (attempts.count() < stageLimits.concurrency()) {
            List<InFlightTask<T>> together = takeReady();
            if (together.isEmpty()) {
                scheduleWake();
                return;
            }
            List<RunningTask<T>> runningTasks =
                    together.stream().map(InFlightTask::present).toList();
            Attempt<T> attempt = new Attempt<>(stage, runningTasks, tracing, mailbox.nanoTime(), listener);
            together.forEach(task -> task.begin(attempt));
            attempts.begun(attempt);
            handlers.execute(attempt);
        }
    }

    private List<InFlightTask<T>> takeReady() {
        List<InFlightTask<T>> together = new ArrayList<>();
        while (together.size() < stageLimits.maxBatch()) {
            InFlightTask<T> task = ready.next(mailbox.nanoTime());
            if (task == null) {
                break;
            }
            together.add(task);
        }
        return together;
    }

    /**
     * Sets an alarm for the time at which a rate limit lets the next task through; no other event would call
     * {@link #run} then.
     */
    private void scheduleWake() {
        OptionalLong opens = ready.opensNanos();
        // An earlier alarm runs the dispatch as well, and sets the next one then.
        if (opens.isEmpty() || (!wakes.isEmpty() && wakes.first() <= opens.getAsLong())) {
            return;
        }
        long atNanos = opens.getAsLong();
        wakes.add(atNanos);
        mailbox.after(Duration.ofNanos(atNanos - mailbox.nanoTime()), () -> {
            wakes.remove(atNanos);
            run();
        });
    }

    /** Removes a call that is over. Those of its tasks that are not held any more leave their lanes. */
    void returned(Attempt<T> attempt) {
        attempts.ended(attempt);
        attempt.tasks().stream()
                .filter(task -> task.state == InFlightTask.State.GONE)
                .forEach(this::releaseLane);
    }

    /** Frees the place of a task that is not held any more, unless the handler still has it. */
    void onEnded(InFlightTask<T> task) {
        // A task without an attempt waits, and so it has no place in its lane: dispatch takes one, and requeue() frees
        // it.
        if (task.attempt != null && !isWithHandler(task)) {
            releaseLane(task);
            run();
        }
    }

    private void releaseLane(InFlightTask<T> task) {
        ready.onSettled(task, mailbox.nanoTime());
    }

    /** Returns whether the call that has a task has not returned, whatever outcome it has reported. */
    boolean isWithHandler(InFlightTask<T> task) {
        return attempts.has(task.attempt);
    }

    /** Abandons a call of which no outcome counts any more. */
    void abandon(Attempt<T> attempt) {
        attempts.abandon(attempt);
    }

    /** Returns whether abandoned calls occupy every place, so that no further call can begin. */
    boolean isStuck() {
        return attempts.abandoned() >= stageLimits.concurrency();
    }

    void interruptAll() {
        attempts.forEach(Attempt::cancel);
    }

    /** The number of tasks that wait. */
    int waiting() {
        return ready.size();
    }

    /** The number of calls that have not returned. */
    int running() {
        return attempts.count();
    }

    /** The number of abandoned calls, of those that have not returned. */
    int abandoned() {
        return attempts.abandoned();
    }
}
