package io.taskmaster.stage.worker.task;

import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;

/**
 * A listener to the times that the tasks of a worker wait and that calls of its handlers take. An exception is logged.
 * Must not block. Thread-safe.
 */
public interface TaskTimes {

    /**
     * Receives the waiting time of a task when a handler is called with it: at each call, and for each task of a batch.
     *
     * @param waitNanos the time since the enqueue, in nanoseconds: at the server by the server's clock, and in this
     *     worker. It includes delays and earlier attempts, because a lease does not tell when the task became available
     *     again
     */
    void waited(Stage<?> stage, Task<?> task, long waitNanos);

    /**
     * Receives the duration of a call of a handler, for one task or a batch, whatever its end.
     *
     * @param serviceNanos the time until the handler returned or, if tasks are finished elsewhere, until they were, in
     *     nanoseconds
     */
    void handled(Stage<?> stage, long serviceNanos);
}
