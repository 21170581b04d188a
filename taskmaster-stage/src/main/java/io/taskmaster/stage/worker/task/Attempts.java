package io.taskmaster.stage.worker.task;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the handler that have not returned, in the order in which they began. That is also the order of their
 * timeouts, so one alarm serves all. A call that timed out stays until it returns, however late. Single-threaded: owned
 * by a stage runner.
 */
public final class Attempts<T> {

    private final Mailbox mailbox;
    private final Duration timeout;
    private final Consumer<Attempt<T>> overdue;

    /** All calls that run, the oldest first. */
    private final Set<Attempt<T>> running = new LinkedHashSet<>();

    /** The calls that have not been reported as overdue. */
    private final Set<Attempt<T>> byDeadline = new LinkedHashSet<>();

    /** The calls of which no outcome counts any more. */
    private final Set<Attempt<T>> abandoned = new LinkedHashSet<>();

    private boolean alarmSet;

    public Attempts(Mailbox mailbox, Duration timeout, Consumer<Attempt<T>> overdue) {
        this.mailbox = mailbox;
        this.timeout = timeout;
        this.overdue = overdue;
    }

    public int count() {
        return running.size();
    }

    /** Returns whether a call has not returned. */
    public boolean has(@Nullable Attempt<T> attempt) {
        return attempt != null && running.contains(attempt);
    }

    public void begun(Attempt<T> attempt) {
        running.add(attempt);
        byDeadline.add(attempt);
        setAlarm();
    }

    public void ended(Attempt<T> attempt) {
        running.remove(attempt);
        byDeadline.remove(attempt);
        abandoned.remove(attempt);
    }

    /** Interrupts a call of which no outcome counts any more. It keeps its thread until it returns. */
    public void abandon(Attempt<T> attempt) {
        attempt.cancel();
        if (running.contains(attempt)) {
            abandoned.add(attempt);
        }
    }

    public int abandoned() {
        return abandoned.size();
    }

    public void forEach(Consumer<Attempt<T>> action) {
        running.forEach(action);
    }

    private void setAlarm() {
        if (!alarmSet && !byDeadline.isEmpty()) {
            alarmSet = true;
            mailbox.after(remaining(byDeadline.iterator().next()), this::onTimer);
        }
    }

    private void onTimer() {
        alarmSet = false;
        while (!byDeadline.isEmpty()) {
            Attempt<T> oldest = byDeadline.iterator().next();
            if (remaining(oldest).isPositive()) {
                break;
            }
            byDeadline.remove(oldest);
            overdue.accept(oldest);
        }
        setAlarm();
    }

    private Duration remaining(Attempt<T> attempt) {
        return timeout.minusNanos(mailbox.nanoTime() - attempt.startedNanos());
    }
}
