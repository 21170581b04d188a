package io.taskmaster.stage.trace;

import com.google.errorprone.annotations.MustBeClosed;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.worker.task.TaskTrace;
import io.taskmaster.trace.TraceContext;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The span of an attempt on a task. Thread-safe, provided that one thread at a time reports the outcome and the end.
 */
final class TaskSpan implements TaskTrace {

    private final Span span;
    private final Context context;
    private Optional<Throwable> cause = Optional.empty();
    private String reason = "";

    TaskSpan(Span span) {
        this.span = span;
        this.context = Context.root().with(span);
    }

    @Override
    @MustBeClosed
    public Scope enter() {
        return enter(context);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // Closing this scope closes the other.
    static Scope enter(Context context) {
        return context.makeCurrent()::close;
    }

    @Override
    public Map<String, String> headers() {
        return TraceContext.headersOf(context);
    }

    @Override
    public void concluded(Outcome outcome, Optional<Throwable> thrown) {
        cause = thrown;
        reason = reasonOf(outcome);
        span.addEvent("outcome", Attributes.of(Conventions.OUTCOME, nameOf(outcome)));
        thrown.ifPresent(span::recordException);
    }

    @Override
    public void refused(String reason) {
        span.addEvent("refused", Attributes.of(Conventions.REASON, reason));
    }

    @Override
    public void ended(End end, String cause) {
        String name = end.name().toLowerCase(Locale.ROOT);
        span.setAttribute(Conventions.END, name);
        switch (end) {
            case RETRIED, DEAD, LOST -> failed(name, cause.isEmpty() ? reason : cause);
            case DONE, HELD, POSTPONED, RELEASED -> {}
        }
        span.end();
    }

    private void failed(String end, String reason) {
        String type = cause.map(thrown -> thrown.getClass().getName()).orElse(end);
        span.setAttribute(Conventions.ERROR_TYPE, type).setStatus(StatusCode.ERROR, reason);
    }

    private static String nameOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done done -> "done";
            case Outcome.HandOff handOff -> "hand-off";
            case Outcome.Retry retry -> "retry";
            case Outcome.Hold hold -> "hold";
            case Outcome.Postpone postpone -> "postpone";
            case Outcome.Dead dead -> "dead";
        };
    }

    private static String reasonOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done done -> "";
            case Outcome.HandOff handOff -> "";
            case Outcome.Retry retry -> retry.reason();
            case Outcome.Hold hold -> hold.reason();
            case Outcome.Postpone postpone -> postpone.reason();
            case Outcome.Dead dead -> dead.reason();
        };
    }
}
