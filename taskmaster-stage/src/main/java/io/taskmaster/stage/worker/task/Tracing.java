package io.taskmaster.stage.worker.task;

import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import java.util.List;

/**
 * A listener that traces tasks through a worker, such as {@link io.taskmaster.stage.trace.TaskSpans}. Its methods must
 * not block. An exception is logged, and the task goes on without a trace. Thread-safe.
 */
public interface Tracing {

    /** No tracing: tasks of a hand-off carry the trace headers of the task that they come from. */
    Tracing NONE = new Tracing() {
        @Override
        public CallTrace call(Stage<?> stage, List<? extends Task<?>> tasks) {
            return CallTrace.NONE;
        }

        @Override
        public TaskTrace uncalled(Stage<?> stage, Task<?> task) {
            return TaskTrace.NONE;
        }
    };

    /** Begins the trace of a call, before the handler is called. */
    CallTrace call(Stage<?> stage, List<? extends Task<?>> tasks);

    /** Begins the trace of a task that no handler gets: it becomes a dead letter, or its key function threw. */
    TaskTrace uncalled(Stage<?> stage, Task<?> task);
}
