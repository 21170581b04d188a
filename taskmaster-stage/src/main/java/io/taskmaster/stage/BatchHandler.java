package io.taskmaster.stage;

import java.util.List;

/**
 * The work of a stage on a batch of tasks. It may take them in any order and finish each one at any time before it
 * returns. A task without an outcome when it returns is tried again. Otherwise as {@link Handler}.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface BatchHandler<T> {

    /**
     * Works on a batch of at least one task. May block. Interrupted when none of the outcomes counts any more.
     *
     * @throws Exception counts as {@link Outcome#retry} of the tasks that have no outcome yet
     */
    void handle(List<Task<T>> tasks, Finish<T> finish) throws Exception;

    /** The receiver of the outcomes of a batch. Thread-safe; does not block. */
    @FunctionalInterface
    interface Finish<T> {

        /**
         * Reports the outcome of a task. The first outcome of a task counts; after the handler has returned it is too
         * late.
         */
        void with(Task<T> task, Outcome outcome);
    }
}
