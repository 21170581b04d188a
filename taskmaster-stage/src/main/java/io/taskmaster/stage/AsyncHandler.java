package io.taskmaster.stage;

/**
 * What a stage does with one task, if it ends elsewhere: in local stages, or when a reply comes. As {@link Handler}, but the outcome may be said
 * after it has returned.
 */
@FunctionalInterface
public interface AsyncHandler<T> {

    /**
     * Begins to work on a task, and sees to it that the flight is finished.
     *
     * @throws Exception counts as {@link Outcome#retry}, if there is no outcome yet
     */
    void begin(Flight<T> flight) throws Exception;
}
