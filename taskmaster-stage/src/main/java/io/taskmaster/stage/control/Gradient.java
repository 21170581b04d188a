package io.taskmaster.stage.control;

/**
 * {@link Controller#gradient}: the limit follows the ratio of how long handlers take while there are few of them to how long they take now, as gradient
 * limits of concurrency do. How long they take while there are few is found out by having few, for a moment, again and again. Immutable.
 *
 * @param unhurriedNanos how long handlers take while there are few; 0: unknown
 * @param isLooking whether that is being found out: at half the limit
 * @param count samples since that was last found out; events since it is being
 */
record Gradient(Range range, double limit, double unhurriedNanos, boolean isLooking, long count) implements Controller {

    /** Handlers may take so many times as long before the limit sinks. */
    private static final double TOLERANCE = 1.5;

    private static final double STEEPEST = 0.5;

    /** How much of the way to its aim the limit goes with each sample. */
    private static final double PACE = 0.2;

    /** A shorter time is believed at that share, each time. */
    private static final double BELIEVED = 0.2;

    /** Samples from one look to the next. */
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
            // Those that were begun among more are done when as many have ended, twice to be sure.
            return count > 2 * limit
                    ? new Gradient(range, limit, nowNanos, false, 0)
                    : new Gradient(range, limit, unhurriedNanos, true, count + sample.done());
        }
        double unhurried = Math.min(unhurriedNanos, unhurriedNanos + BELIEVED * (nowNanos - unhurriedNanos));
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
