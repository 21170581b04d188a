package io.taskmaster.stage.control;

/**
 * How a stage answered the events of one class in an interval. Immutable.
 *
 * @param perSecond events answered in a second
 * @param slowNanos how long nine in ten of them took at most, from the line to the end of the handler, or are going to
 */
public record ClassSample(double perSecond, long slowNanos) {

    /** None was answered. */
    public static final ClassSample NONE = new ClassSample(0, 0);
}
