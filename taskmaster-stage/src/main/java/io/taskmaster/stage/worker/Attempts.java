package io.taskmaster.stage.worker;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the handler that have not returned, in the order in which they began, which is that of their timeouts: so one alarm does for
 * all. A call that took too long stays until it returns, however late. Single-threaded: owned by a stage runner.
 */
final class Attempts<T> {

    private final Mailbox mailbox;
    private final Duration timeout;
    private final Consumer<Attempt<T>> overdue;

    /** All that run; those that are overdue first. */
    private final Set<Attempt<T>> running = new LinkedHashSet<>();

    /** Those that nobody has called overdue yet. */
    private final Set<Attempt<T>> inTime = new LinkedHashSet<>();

    /** Those whose outcome nobody waits for any more. */
    private final Set<Attempt<T>> abandoned = new LinkedHashSet<>();

    private boolean alarmSet;

    Attempts(Mailbox mailbox, Duration timeout, Consumer<Attempt<T>> overdue) {
        this.mailbox = mailbox;
        this.timeout = timeout;
        this.overdue = overdue;
    }

    int count() {
        return running.size();
    }

    /** Whether it has not returned. */
    boolean has(@Nullable Attempt<T> attempt) {
        return attempt != null && running.contains(attempt);
    }

    void begun(Attempt<T> attempt) {
        running.add(attempt);
        inTime.add(attempt);
        setAlarm();
    }

    void ended(Attempt<T> attempt) {
        running.remove(attempt);
        inTime.remove(attempt);
        abandoned.remove(attempt);
    }

    /** Interrupts a call that has no outcome to wait for; it has its thread until it returns. */
    void abandon(Attempt<T> attempt) {
        attempt.cancel();
        if (running.contains(attempt)) {
            abandoned.add(attempt);
        }
    }

    int abandoned() {
        return abandoned.size();
    }

    void forEach(Consumer<Attempt<T>> action) {
        running.forEach(action);
    }

    private void setAlarm() {
        if (!alarmSet && !inTime.isEmpty()) {
            alarmSet = true;
            mailbox.after(left(inTime.iterator().next()), this::ring);
        }
    }

    private void ring() {
        alarmSet = false;
        while (!inTime.isEmpty()) {
            Attempt<T> oldest = inTime.iterator().next();
            if (left(oldest).isPositive()) {
                break;
            }
            inTime.remove(oldest);
            overdue.accept(oldest);
        }
        setAlarm();
    }

    private Duration left(Attempt<T> attempt) {
        return timeout.minusNanos(mailbox.nanoTime() - attempt.startedNanos());
    }
}
