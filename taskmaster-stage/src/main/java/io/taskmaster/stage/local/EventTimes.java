package io.taskmaster.stage.local;

/** A listener for the times that events of a stage take. Thread-safe; does not block. */
@FunctionalInterface
public interface EventTimes {

    /**
     * Receives the times of an event whose handler has ended, normally or not. Not called for control events, whose
     * waits are not measured.
     *
     * @param waitNanos the time in line; 0 in a stage without a boundary
     * @param serviceNanos the time in the handler, that of the whole batch for a batch handler
     */
    void handled(long waitNanos, long serviceNanos);
}
