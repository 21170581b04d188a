package io.taskmaster.stage.local;

/**
 * A handler of a local stage that gets one event at a time. Has to be thread-safe if the stage has no boundary or a
 * concurrency above 1.
 */
@FunctionalInterface
public interface EventHandler<E> {

    /**
     * Handles an event, and hands on its results. May block only in a stage whose boundary is
     * {@linkplain Boundary#blocking blocking}.
     *
     * @throws Exception drops the event
     */
    void handle(E event) throws Exception;
}
