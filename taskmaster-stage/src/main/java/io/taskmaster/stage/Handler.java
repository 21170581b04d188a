package io.taskmaster.stage;

/**
 * What a stage does with one task. Whatever it does outside TaskMaster is idempotent: a task is worked on again whenever its outcome was
 * not committed. Thread-safe: it is called on many threads at once, as many as the stage's concurrency.
 */
@FunctionalInterface
public interface Handler<T> {

    /**
     * Works on a task; may block. Interrupted when nobody waits for the outcome any more.
     *
     * @throws Exception counts as {@link Outcome#retry}
     */
    Outcome handle(Task<T> task) throws Exception;
}
