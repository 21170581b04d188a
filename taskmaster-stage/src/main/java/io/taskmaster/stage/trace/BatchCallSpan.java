package io.taskmaster.stage.trace;

import com.google.errorprone.annotations.MustBeClosed;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.worker.task.CallTrace;
import io.taskmaster.stage.worker.task.TaskTrace;
import java.util.List;

/**
 * The trace of a call with a batch: a span for the call, and one for each task. Immutable.
 *
 * @param callSpan the span of the call
 * @param taskSpans the spans of the tasks, in the order of the call
 */
record BatchCallSpan(Span callSpan, List<TaskSpan> taskSpans) implements CallTrace {

    @Override
    public TaskTrace task(int index) {
        return taskSpans.get(index);
    }

    @Override
    @MustBeClosed
    public Scope enter() {
        return TaskSpan.enter(Context.root().with(callSpan));
    }

    @Override
    public void returned() {
        callSpan.end();
    }
}
