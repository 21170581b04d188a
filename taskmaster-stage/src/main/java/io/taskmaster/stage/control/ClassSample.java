package io.taskmaster.stage.control;

/**
 * A sample of the answers of a stage to events of one class in an interval. Immutable.
 *
 * @param perSecond the rate of answers
 * @param slowNanos the 90th percentile of response times, from the line to the end of the handler, measured or to be
 *     expected
 */
public record ClassSample(double perSecond, long slowNanos) {

    /** The sample of an interval without answers. */
    public static final ClassSample NONE = new ClassSample(0, 0);
}
