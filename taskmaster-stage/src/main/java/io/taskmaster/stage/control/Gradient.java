package io.taskmaster.stage.control;

/**
 * The controller of {@link Controller#gradient}, like gradient limits of concurrency: the limit follows the ratio of
 * the time that handlers take while there are few of them to the time that they take now. The former is measured again
 * and again, by having few for a moment. Immutable.
 *
 * <pre>{@code
 * state     | event                                  | next state | effect
 * LOOKING   | twice the limit of events are done     | FOLLOWING  | the unhurried time is that of this sample
 * FOLLOWING | a sample                               | FOLLOWING  | the limit moves a fifth of the way to its aim
 * FOLLOWING | BETWEEN_LOOKS samples                  | LOOKING    | half the limit is set
 * }</pre>
 *
 * @param unhurriedNanos the time that handlers take while there are few; 0: unknown
 * @param isLooking whether that is being measured: at half the limit
 * @param count the number of samples since it was last measured; while it is being measured, the number of events since
 *     that began
 */
record Gradient(Range range, double limit, double unhurriedNanos, boolean isLooking, long count) implements Controller {

    /** The factor by which handlers may take longer before the limit sinks. */
    private static final double TOLERANCE = 1.5;

    private static final double STEEPEST = 0.5;

    /** The share of the way to its aim that the limit moves with each sample. */
    private static final double PACE = 0.2;

    /** The share at which a shorter time is believed, each time. */
    private static final double BELIEVED = 0.2;

    /** The number of samples from one measurement to the next. */
    private static final int BETWEEN_LOOKS = 200;

    static Gradient of(Range range) {
        return new Gradient(range, range.least(), 0, true, 0);
    }

    @Override
    public int setting() {
        return range.clamp(isLooking ? limit / 2 : limit);
    }

    @Override
    public Controller after(Sample sample) {
        if (sample.done() == 0) {
            return this;
        }
        double nowNanos = Math.max(1, sample.serviceNanos());
        if (isLooking) {
            // Events that began while there were more handlers are done when as many have ended; twice as many, to be
            // sure.
            return count > 2 * limit
                    ? new Gradient(range, limit, nowNanos, false, 0)
                    : new Gradient(range, limit, unhurriedNanos, true, count + sample.done());
        }
        double unhurried = Math.min(unhurriedNanos, unhurriedNanos + BELIEVED * (nowNanos - unhurriedNanos));
        // A limit of which less than half is used was not put to the test, so it neither rises nor sinks.
        boolean isUsed = 2 * sample.busy() >= setting();
        boolean looksAgain = count + 1 == BETWEEN_LOOKS;
        return new Gradient(
                range, isUsed ? next(unhurried / nowNanos) : limit, unhurried, looksAgain, looksAgain ? 0 : count + 1);
    }

    private double next(double ratio) {
        double gradient = Math.clamp(TOLERANCE * ratio, STEEPEST, 1);
        double aim = gradient * limit + Math.max(1, Math.sqrt(limit));
        return Math.clamp(limit + PACE * (aim - limit), range.least(), range.most());
    }
}
