package io.taskmaster.stage.control;

/**
 * {@link Controller#gradient}: the limit follows the ratio of how long handlers take while there are few of them to how long they take now, as gradient
 * limits of concurrency do. How long they take while there are few is found out by having few, for a moment, again and again. Immutable.
 *
 * @param unhurriedNanos how long handlers take while there are few; 0: unknown
 * @param age samples since that was last found out; while it is, below {@link #LOOKS}
 */
record Gradient(Range range, double limit, double unhurriedNanos, int age) implements Controller {

    /** Handlers may take so many times as long before the limit sinks. */
    private static final double TOLERANCE = 1.5;

    private static final double STEEPEST = 0.5;

    /** How much of the way to its aim the limit goes with each sample. */
    private static final double PACE = 0.2;

    /** A shorter time is believed at that share, each time. */
    private static final double BELIEVED = 0.2;

    /** How many samples a look takes, at half the limit; the last one counts. */
    private static final int LOOKS = 4;

    /** From one look to the next. */
    private static final int SAMPLES = 200;

    static Gradient of(Range range) {
        return new Gradient(range, range.least(), 0, LOOKS);
    }

    @Override
    public int setting() {
        return range.clamp(age < LOOKS ? limit / 2 : limit);
    }

    @Override
    public Controller after(Sample sample) {
        if (sample.done() == 0) {
            return this;
        }
        double nowNanos = Math.max(1, sample.serviceNanos());
        int next = (age + 1) % SAMPLES;
        if (age < LOOKS) {
            return new Gradient(range, limit, age == LOOKS - 1 ? nowNanos : unhurriedNanos, next);
        }
        double unhurried = unhurriedNanos == 0
                ? nowNanos
                : Math.min(unhurriedNanos, unhurriedNanos + BELIEVED * (nowNanos - unhurriedNanos));
        boolean isUsed = 2 * sample.busy() >= setting();
        return new Gradient(range, isUsed ? next(unhurried / nowNanos) : limit, unhurried, next);
    }

    private double next(double ratio) {
        double gradient = Math.clamp(TOLERANCE * ratio, STEEPEST, 1);
        double aim = gradient * limit + Math.max(1, Math.sqrt(limit));
        return Math.clamp(limit + PACE * (aim - limit), range.least(), range.most());
    }
}
