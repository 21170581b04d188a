package io.taskmaster.stage.worker;

import io.taskmaster.stage.Stage;
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
 * Gives the tasks that wait in the {@link Lanes} to the handler: some together, so many calls at once, as soon as keys and rates let them through. A call that nobody waits
 * for any more is abandoned, and has its place until it returns. Single-threaded: owned by a stage runner.
 */
final class Dispatch<T> {

    private final Stage<T> stage;
    private final Limits limits;
    private final Mailbox mailbox;
    private final Executor handlers;
    private final Tracing tracing;
    private final Attempt.Listener<T> listener;
    private final Lanes<T> ready;
    private final Attempts<T> attempts;

    /** The alarms that are set for when time is going to let a task through that waits. */
    private final NavigableSet<Long> wakes = new TreeSet<>();

    /**
     * @param handlers runs calls
     * @param tracing follows them
     * @param listener hears of each call, on the handler's thread
     * @param overdue hears of each call that takes too long
     */
    Dispatch(
            Stage<T> stage,
            Limits limits,
            Mailbox mailbox,
            Executor handlers,
            Tracing tracing,
            Attempt.Listener<T> listener,
            Consumer<Attempt<T>> overdue) {
        this.stage = stage;
        this.limits = limits;
        this.mailbox = mailbox;
        this.handlers = handlers;
        this.tracing = tracing;
        this.listener = listener;
        this.ready = new Lanes<>(stage.settings().keys(), stage.settings().rate(), mailbox.nanoTime());
        this.attempts = new Attempts<>(mailbox, stage.settings().timeout(), overdue);
    }

    /** A task waits, last in its lane, until the next {@link #run}. */
    void add(Held<T> task) {
        ready.add(task, mailbox.nanoTime());
    }

    /** A task that has rested waits, first in its lane. */
    void addAgain(Held<T> task) {
        ready.addAgain(task, mailbox.nanoTime());
    }

    /** A task does not wait any more. */
    void remove(Held<T> task) {
        ready.remove(task);
    }

    /** No task waits any more whose turn would be after this one's; none if there is no such order. */
    List<Held<T>> removeBehind(Held<T> task) {
        return stage.settings().keys().keepsOrder() ? ready.removeAll(task.key()) : List.of();
    }

    /** No task waits any more. */
    List<Held<T>> removeAll() {
        return ready.removeAll();
    }

    /** Until when tasks of a key are given back, if they were leased at this time; both by the server's clock. */
    Optional<Instant> closedUntil(String key, Instant leased) {
        return ready.closedUntil(key).filter(leased::isBefore);
    }

    /**
     * Where handlers are idle although tasks wait, since those may not go to one for the sake of their keys: no task waits any more that is beyond a fair share of its key.
     *
     * @param serverTime now, by the server's clock
     * @return with the time until which their keys are closed
     */
    Map<Held<T>, Instant> removeCrowd(Function<Held<T>, Instant> serverTime) {
        return attempts.count() < limits.concurrency() && ready.areBlocked()
                ? ready.removeCrowd(limits.inHand(), serverTime, mailbox.nanoTime())
                : Map.of();
    }

    /** Calls the handler for what waits, as far as it may. */
    void run() {
        while (attempts.count() < limits.concurrency()) {
            List<Held<T>> together = takeReady();
            if (together.isEmpty()) {
                wakeInTime();
                return;
            }
            List<AtWork<T>> presented = together.stream().map(Held::present).toList();
            Attempt<T> attempt = new Attempt<>(stage, presented, tracing, mailbox.nanoTime(), listener);
            together.forEach(task -> task.begin(attempt));
            attempts.begun(attempt);
            handlers.execute(attempt);
        }
    }

    private List<Held<T>> takeReady() {
        List<Held<T>> together = new ArrayList<>();
        while (together.size() < limits.maxBatch()) {
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

    /** A call is over: those of its tasks that are not ours any more leave their lanes. */
    void returned(Attempt<T> attempt) {
        attempts.ended(attempt);
        attempt.tasks().stream().filter(task -> task.state == Held.State.GONE).forEach(this::leaveLane);
    }

    /** A task is not ours any more; it leaves its lane, unless the handler still has it. */
    void gone(Held<T> task) {
        if (task.attempt != null && !isWithHandler(task)) {
            leaveLane(task);
            run();
        }
    }

    private void leaveLane(Held<T> task) {
        ready.over(task, mailbox.nanoTime());
    }

    /** Whether a call that has it has not returned, whatever it has said of it. */
    boolean isWithHandler(Held<T> task) {
        return attempts.has(task.attempt);
    }

    /** Nobody waits for what comes of a call. */
    void abandon(Attempt<T> attempt) {
        attempts.abandon(attempt);
    }

    /** No call returns, and there is no place for another. */
    boolean isStuck() {
        return attempts.abandoned() >= limits.concurrency();
    }

    void interruptAll() {
        attempts.forEach(Attempt::cancel);
    }

    /** Tasks that wait. */
    int waiting() {
        return ready.size();
    }

    /** Calls that have not returned. */
    int running() {
        return attempts.count();
    }

    /** Of those that have not returned. */
    int abandoned() {
        return attempts.abandoned();
    }
}
