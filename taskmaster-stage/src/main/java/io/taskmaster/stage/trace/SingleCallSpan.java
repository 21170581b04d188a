package io.taskmaster.stage.trace;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.worker.task.CallTrace;
import io.taskmaster.stage.worker.task.TaskTrace;

/** The trace of a call with one task; both share a span. Immutable. */
record SingleCallSpan(TaskSpan span) implements CallTrace {

    @Override
    public TaskTrace task(int index) {
        return span;
    }

    @Override
    @MustBeClosed
    public Scope enter() {
        return span.enter();
    }

    @Override
    public void returned() {}
}
