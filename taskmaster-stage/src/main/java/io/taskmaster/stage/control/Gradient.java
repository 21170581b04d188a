package io.taskmaster.stage.control;

/**
 * The controller of {@link Controller#gradient}, like gradient limits of concurrency: the limit follows the ratio of
 * the time that handlers take while there are few of them to the time that they take now. The former is measured again
 * and again, by having few for a moment. Immutable.
 *
 * <pre>{@code
 * state     | event                                  | next state | effect
 * PROBING   | twice the limit of events are done     | FOLLOWING  | the baseline is that of this sample
 * FOLLOWING | a sample                               | FOLLOWING  | the limit moves a fifth of the way to its aim
 * FOLLOWING | PROBE_INTERVAL samples                 | PROBING    | half the limit is set
 * }</pre>
 *
 * @param baselineNanos the time that handlers take while there are few; 0: unknown
 * @param isProbing whether that is being measured: at half the limit
 * @param count the number of samples since it was last measured; while it is being measured, the number of events since
 *     that began
 */
record Gradient(Range range, double limit, double baselineNanos, boolean isProbing, long count) implements Controller {

    /** The factor by which handlers may take longer before the limit sinks. */
    private static final double TOLERANCE = 1.5;

    private static final double MIN_GRADIENT = 0.5;

    /** The share of the way to its aim that the limit moves with each sample. */
    private static final double SMOOTHING = 0.2;

    /** The share at which a shorter time is believed, each time. */
    private static final double BASELINE_WEIGHT = 0.2;

    /** The number of samples from one measurement to the next. */
    private static final int PROBE_INTERVAL = 200;

    static Gradient of(Range range) {
        return new Gradient(range, range.least(), 0, true, 0);
    }

    @Override
    public int setting() {
        return range.clamp(isProbing ? limit / 2 : limit);
    }

    @Override
    public Controller after(Sample sample) {
        if (sample.done() == 0) {
            return this;
        }
        double nowNanos = Math.max(1, sample.serviceNanos());
        if (isProbing) {
            // Events that began while there were more handlers are done when as many have ended; twice as many, to be
            // sure.
            return count > 2 * limit
                    ? new Gradient(range, limit, nowNanos, false, 0)
                    : new Gradient(range, limit, baselineNanos, true, count + sample.done());
        }
        double baseline = Math.min(baselineNanos, baselineNanos + BASELINE_WEIGHT * (nowNanos - baselineNanos));
        // A limit of which less than half is used was not put to the test, so it neither rises nor sinks.
        boolean isUsed = 2 * sample.busy() >= setting();
        boolean probesNext = count + 1 == PROBE_INTERVAL;
        return new Gradient(
                range, isUsed ? next(baseline / nowNanos) : limit, baseline, probesNext, probesNext ? 0 : count + 1);
    }

    private double next(double ratio) {
        double gradient = Math.clamp(TOLERANCE * ratio, MIN_GRADIENT, 1);
        double target = gradient * limit + Math.max(1, Math.sqrt(limit));
        return Math.clamp(limit + SMOOTHING * (target - limit), range.least(), range.most());
    }
}
