package io.taskmaster.stage.local;

/** What a local stage does with one event. Thread-safe if the stage has no boundary, or a concurrency above 1. */
@FunctionalInterface
public interface EventHandler<E> {

    /**
     * Handles an event; hands on what comes of it. Blocks only in a stage whose boundary is made for that.
     *
     * @throws Exception drops the event
     */
    void handle(E event) throws Exception;
}
