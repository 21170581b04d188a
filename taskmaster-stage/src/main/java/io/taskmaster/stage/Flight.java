package io.taskmaster.stage;

import com.google.errorprone.annotations.MustBeClosed;
import java.time.Duration;

/**
 * A task on its way through local stages. Its lease is renewed until it has an outcome, or until the
 * {@linkplain StageSettings#timeout timeout} of its stage. A flight that a local stage drops is tried again.
 * Thread-safe.
 *
 * @param <T> the payload
 */
public record Flight<T>(Task<T> task, BatchHandler.Finish<T> finisher) implements Answerable {

    public T payload() {
        return task.payload();
    }

    /** Reports the outcome of the task. The first outcome counts. Does not block. */
    public void finish(Outcome outcome) {
        finisher.with(task, outcome);
    }

    @Override
    public void dropped(String reason) {
        finish(Outcome.retry(reason));
    }

    /** Finishes the task as done: the sink has stored it durably. */
    @Override
    public void spilled() {
        finish(Outcome.done());
    }

    @Override
    public boolean isCancelled() {
        return task.isCancelled();
    }

    /** Makes the trace of the task current, as {@link Task#enter}. */
    @Override
    @MustBeClosed
    public Scope enter() {
        return task.enter();
    }

    /**
     * Offers the flight to a sink. If it is refused, the worker keeps the task and calls the handler again after the
     * time that the sink names. If it can never fit, it becomes a dead letter. Blocks only if the sink does.
     */
    public void into(Sink<? super Flight<T>> sink) {
        if (sink.offer(this) instanceof Admission.Refused(Admission.Cause cause, Duration retryAfter)) {
            String reason = "local stage: refused the task, " + cause;
            finish(cause == Admission.Cause.TOO_LARGE ? Outcome.dead(reason) : Outcome.hold(retryAfter, reason));
        }
    }
}
