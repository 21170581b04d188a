package io.taskmaster.trace;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import java.util.HashMap;
import java.util.Map;

/**
 * The conversion of OpenTelemetry's context to the headers of tasks and back, for callers that enqueue and lease with a
 * client of their own; workers of the stage library do it by themselves. The form is that of W3C Trace Context,
 * whatever propagators are configured, because other readers need it, too. Baggage is left out: a task may be kept for
 * weeks, and every caller with the permission to peek at a queue can read its headers. Stateless.
 */
public final class TraceContext {

    private static final W3CTraceContextPropagator FORM = W3CTraceContextPropagator.getInstance();

    private static final TextMapGetter<Map<String, String>> GETTER =
            (headers, name) -> headers == null ? null : headers.get(name);

    private TraceContext() {}

    /** Returns the update with the current context in the headers of all its new tasks that name no trace. */
    public static Update inject(Update update) {
        Map<String, String> trace = headersOf(Context.current());
        return trace.isEmpty()
                ? update
                : new Update(
                        update.group(),
                        update.enqueues().stream()
                                .map(enqueue -> with(enqueue, trace))
                                .toList(),
                        update.dequeues(),
                        update.renewals(),
                        update.releases(),
                        update.requestId(),
                        update.serviceClass());
    }

    /** Returns the new task with the current context in its headers, unless they name a trace. */
    public static Enqueue inject(Enqueue enqueue) {
        return with(enqueue, headersOf(Context.current()));
    }

    private static Enqueue with(Enqueue enqueue, Map<String, String> trace) {
        return enqueue.headers(TraceHeaders.with(enqueue.headers(), trace));
    }

    /** Returns the headers that carry a context; none if it has no span. */
    public static Map<String, String> headersOf(Context context) {
        Map<String, String> headers = new HashMap<>();
        FORM.inject(context, headers, (carrier, name, value) -> headers.put(name, value));
        return headers;
    }

    /**
     * Returns the context in the headers of a task, which is that of the span that enqueued it. The empty context if
     * there is none that is valid.
     */
    public static Context of(Map<String, String> headers) {
        return FORM.extract(Context.root(), headers, GETTER);
    }
}
