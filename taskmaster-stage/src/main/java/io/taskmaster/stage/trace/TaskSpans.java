package io.taskmaster.stage.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.task.CallTrace;
import io.taskmaster.stage.worker.task.TaskTrace;
import io.taskmaster.stage.worker.task.Tracing;
import io.taskmaster.trace.TraceContext;
import java.util.List;

/**
 * A {@link Tracing} with OpenTelemetry: a span for each attempt on a task, from before its handler is called until its
 * end is known. It is a child of the span that enqueued the task, whose context is in the task's headers; the tasks of
 * a hand-off carry its own. So all processing of a piece of work, in whatever process, is in one trace.
 *
 * <p>A batch handler has a span besides, in a trace of its own, with a link to the span that enqueued each task. The
 * spans of its tasks have a link to it. The current span of the handler is that of the batch, or of the only task. If a
 * sampler, a span processor or a context storage fails, the task goes on without a span. Thread-safe.
 *
 * <table>
 *   <caption>Spans {@code process QUEUE}, of the kind {@code CONSUMER}</caption>
 *   <tr><td>{@code messaging.system}</td><td>{@code taskmaster}</td></tr>
 *   <tr><td>{@code messaging.operation.name}, {@code .type}</td><td>{@code process}</td></tr>
 *   <tr><td>{@code messaging.destination.name}</td><td>the queue</td></tr>
 *   <tr><td>{@code messaging.destination.template}</td><td>{@code NAME/*} for a member of a family; it is also in
 *       the name of the span</td></tr>
 *   <tr><td>{@code messaging.message.id}</td><td>the PID</td></tr>
 *   <tr><td>{@code messaging.batch.message_count}</td><td>of a batch: the number of tasks</td></tr>
 *   <tr><td>{@code messaging.taskmaster.group}</td><td>the consistency group</td></tr>
 *   <tr><td>{@code messaging.taskmaster.attempt}</td><td>1 for the first</td></tr>
 *   <tr><td>{@code messaging.taskmaster.wait}</td><td>seconds from the enqueue to this lease, by the server's
 *       clock</td></tr>
 *   <tr><td>{@code messaging.taskmaster.end}</td><td>{@code done}, {@code retried}, {@code held},
 *       {@code postponed}, {@code released}, {@code dead}, {@code lost}</td></tr>
 *   <tr><td>{@code error.type}, and the status ERROR</td><td>if it was retried, dead or lost: the class of the
 *       exception, or the end</td></tr>
 *   <tr><td>events</td><td>{@code outcome}, with the handler's outcome; {@code refused}, with the reason why a
 *       commit was refused; an exception</td></tr>
 * </table>
 */
public final class TaskSpans implements Tracing {

    private static final String SCOPE = "io.taskmaster.stage";

    private final Tracer tracer;

    public TaskSpans(OpenTelemetry openTelemetry) {
        this.tracer = openTelemetry.getTracer(SCOPE);
    }

    @Override
    public CallTrace call(Stage<?> stage, List<? extends Task<?>> tasks) {
        return stage.settings().batches().most() == 1 ? single(stage, tasks) : batch(stage, tasks);
    }

    @Override
    public TaskTrace uncalled(Stage<?> stage, Task<?> task) {
        return new TaskSpan(of(stage, task).startSpan());
    }

    private CallTrace single(Stage<?> stage, List<? extends Task<?>> tasks) {
        return new SingleCallSpan(new TaskSpan(of(stage, tasks.getFirst()).startSpan()));
    }

    private CallTrace batch(Stage<?> stage, List<? extends Task<?>> tasks) {
        SpanBuilder builder = named(stage).setNoParent().setAttribute(Conventions.BATCH_COUNT, (long) tasks.size());
        for (Task<?> task : tasks) {
            SpanContext origin = Span.fromContext(origin(task)).getSpanContext();
            if (origin.isValid()) {
                builder.addLink(origin, Conventions.ofMessage(task));
            }
        }
        Span callSpan = builder.startSpan();
        List<TaskSpan> taskSpans = tasks.stream()
                .map(task -> new TaskSpan(
                        of(stage, task).addLink(callSpan.getSpanContext()).startSpan()))
                .toList();
        return new BatchCallSpan(callSpan, taskSpans);
    }

    private SpanBuilder of(Stage<?> stage, Task<?> task) {
        return named(stage)
                .setParent(origin(task))
                .setAllAttributes(Conventions.ofMessage(task))
                .setAttribute(Conventions.GROUP, task.lease().queue().group().toString())
                .setAttribute(Conventions.ATTEMPT, (long) task.attempt())
                .setAttribute(Conventions.WAIT, Conventions.waitSeconds(stage, task));
    }

    private SpanBuilder named(Stage<?> stage) {
        SpanBuilder builder = tracer.spanBuilder(Conventions.PROCESS + " " + stage.input())
                .setSpanKind(SpanKind.CONSUMER)
                .setAllAttributes(Conventions.PROCESSING);
        return stage.input().isFamily()
                ? builder.setAttribute(Conventions.TEMPLATE, stage.input().toString())
                : builder;
    }

    private static Context origin(Task<?> task) {
        return TraceContext.of(task.headers());
    }
}
