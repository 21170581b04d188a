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
}
