package io.taskmaster.stage;

import com.google.errorprone.annotations.MustBeClosed;
import java.time.Duration;

/**
 * A task on its way through local stages. Its lease is renewed until it has an outcome, or the {@linkplain StageSettings#timeout timeout} of its
 * stage is over. Dropped by a local stage, it is tried again. Thread-safe.
 */
public record Flight<T>(Task<T> task, BatchHandler.Finish<T> finisher) implements Answerable {

    public T payload() {
        return task.payload();
    }

    /** What came of it. The first outcome counts. Does not block. */
    public void finish(Outcome outcome) {
        finisher.with(task, outcome);
    }

    @Override
    public void dropped(String reason) {
        finish(Outcome.retry(reason));
    }

    /** It is where it was brought, so here it is done. */
    @Override
    public void spilled() {
        finish(Outcome.done());
    }

    @Override
    public boolean isCancelled() {
        return task.isCancelled();
    }

    /** As {@link Task#enter}. */
    @Override
    @MustBeClosed
    public Scope enter() {
        return task.enter();
    }

    /** Offers it to a sink. Refused, it stays with the worker and begins anew when that says; one that never fits is dead. */
    public void into(Sink<? super Flight<T>> sink) {
        if (sink.offer(this) instanceof Admission.Refused(Admission.Cause cause, Duration retryAfter)) {
            String reason = "local stage: refused, " + cause;
            finish(cause == Admission.Cause.TOO_LARGE ? Outcome.dead(reason) : Outcome.hold(retryAfter, reason));
        }
    }
}
