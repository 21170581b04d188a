package io.taskmaster.stage;

/**
 * So many a second, in one worker process. Immutable.
 *
 * @param perSecond in the long run
 * @param burst how many may come at once after a pause
 */
public record Rate(double perSecond, int burst) {

    private static final double LEAST = 1e-6;
    private static final double MOST = 1e9;
    private static final double NANOS_PER_SECOND = 1e9;

    /** A hundred years: a few of them do not overflow. */
    private static final double LONGEST_NANOS = 3e18;

    public Rate {
        if (!(perSecond >= LEAST && perSecond <= MOST)) {
            throw new IllegalArgumentException("perSecond: %s (expected: %s to %s)".formatted(perSecond, LEAST, MOST));
        }
        if (burst < 1) {
            throw new IllegalArgumentException("burst: %d (expected: 1 or more)".formatted(burst));
        }
    }

    /** Evenly, without bursts. */
    public static Rate perSecond(double count) {
        return new Rate(count, 1);
    }

    /** How long so many take at this rate; a hundred years at most. */
    public long nanosFor(long count) {
        double intervalNanos = Math.max(1, Math.rint(NANOS_PER_SECOND / perSecond));
        return (long) Math.min(LONGEST_NANOS, intervalNanos * count);
    }
}
