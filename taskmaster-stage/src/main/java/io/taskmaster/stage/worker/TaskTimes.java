package io.taskmaster.stage.worker;

import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;

/** Hears how long the tasks of a worker wait, and calls of its handlers take. What it throws is logged. Thread-safe; does not block. */
public interface TaskTimes {

    /**
     * A handler is being called with a task: each time it is, and for each task of a batch.
     *
     * @param waitNanos since it was enqueued: at the server, by the server's clock, and here. Delays count, and so do the calls before this one, for a lease does not tell
     *     when the task could have been had again
     */
    void waited(Stage<?> stage, Task<?> task, long waitNanos);

    /**
     * A call of a handler, for one task or a batch, is over, to whatever end.
     *
     * @param serviceNanos until the handler had returned and, where tasks are finished elsewhere, they were
     */
    void handled(Stage<?> stage, long serviceNanos);
}
