package io.taskmaster.stage.local;

/** Hears how long the events of a stage took. Thread-safe; does not block. */
@FunctionalInterface
public interface EventTimes {

    /**
     * The handler is done with an event, to whatever end. Not told of control events, which wait for nobody.
     *
     * @param waitNanos in line; 0 in a stage without a boundary
     * @param serviceNanos in the handler, with the others of its batch
     */
    void handled(long waitNanos, long serviceNanos);
}
