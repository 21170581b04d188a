package io.taskmaster.stage.worker;

import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import java.util.List;

/** Follows tasks through a worker, such as {@link io.taskmaster.stage.trace.TaskSpans}. None of it blocks. What it throws is logged, and the task goes on without. Thread-safe. */
public interface Tracing {

    /** Nobody follows them. Tasks that are handed on have the trace that those they come from have. */
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

    /** A handler is about to be called. */
    CallTrace call(Stage<?> stage, List<? extends Task<?>> tasks);

    /** A task is about to become a dead letter that no handler has seen. */
    TaskTrace uncalled(Stage<?> stage, Task<?> task);
}
