package io.taskmaster.stage.trace;

import com.google.errorprone.annotations.MustBeClosed;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.worker.CallTrace;
import io.taskmaster.stage.worker.TaskTrace;
import java.util.List;

/**
 * A call for some tasks, each with a span besides that of the call. Immutable.
 *
 * @param whole the span of the call
 */
record BatchCall(Span whole, List<TaskSpan> each) implements CallTrace {

    @Override
    public TaskTrace task(int index) {
        return each.get(index);
    }

    @Override
    @MustBeClosed
    public Scope enter() {
        return TaskSpan.enter(Context.root().with(whole));
    }

    @Override
    public void returned() {
        whole.end();
    }
}
