package io.taskmaster.stage;

import java.util.List;

/**
 * What a stage does with some tasks together. It may take them in any order, finish each as soon as it likes, and keep none: what has no
 * outcome when it returns is tried again. Otherwise as {@link Handler}.
 */
@FunctionalInterface
public interface BatchHandler<T> {

    /**
     * Works on some tasks, at least one; may block. Interrupted when nobody waits for any of the outcomes any more.
     *
     * @throws Exception counts as {@link Outcome#retry} of those that have no outcome yet
     */
    void handle(List<Task<T>> tasks, Finish<T> finish) throws Exception;

    /** Where a batch handler says what came of a task. Thread-safe; does not block. */
    @FunctionalInterface
    interface Finish<T> {

        /** The first outcome of a task counts, and any after the handler has returned is too late. */
        void with(Task<T> task, Outcome outcome);
    }
}
