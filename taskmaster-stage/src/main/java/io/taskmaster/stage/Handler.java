package io.taskmaster.stage;

/**
 * The work of a stage on one task. Its effects outside TaskMaster must be idempotent: a task is worked on again
 * whenever its outcome was not committed. Must be thread-safe: it is called on many threads at once, up to the stage's
 * concurrency.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface Handler<T> {

    /**
     * Works on a task. May block. Interrupted when the outcome does not count any more.
     *
     * @throws Exception counts as {@link Outcome#retry}
     */
    Outcome handle(Task<T> task) throws Exception;
}
