package io.taskmaster.stage;

/**
 * A rate limit within one worker process. Immutable.
 *
 * @param perSecond the long-term rate per second, from 1e-6 to 1e9
 * @param burst the number that may come at once after a pause; 1 or more
 */
public record Rate(double perSecond, int burst) {

    private static final double MIN_PER_SECOND = 1e-6;
    private static final double MAX_PER_SECOND = 1e9;
    private static final double NANOS_PER_SECOND = 1e9;

    /** A hundred years in nanoseconds; the sum of a few of these does not overflow. */
    private static final double MAX_NANOS = 3e18;

    public Rate {
        if (!(perSecond >= MIN_PER_SECOND && perSecond <= MAX_PER_SECOND)) {
            throw new IllegalArgumentException(
                    "perSecond: %s (expected: %s to %s)".formatted(perSecond, MIN_PER_SECOND, MAX_PER_SECOND));
        }
        if (burst < 1) {
            throw new IllegalArgumentException("burst: %d (expected: 1 or more)".formatted(burst));
        }
    }

    /** Returns an even rate, without bursts. */
    public static Rate perSecond(double count) {
        return new Rate(count, 1);
    }

    /** Returns the time in nanoseconds that this number takes at this rate; a hundred years at most. */
    public long nanosFor(long count) {
        double intervalNanos = Math.max(1, Math.rint(NANOS_PER_SECOND / perSecond));
        return (long) Math.min(MAX_NANOS, intervalNanos * count);
    }
}
