package io.taskmaster.examples.demo;

/**
 * The pace of a demo: a limit on its first stage, so that there is time to watch it. Immutable.
 *
 * @param perSecond the maximum number of tasks per second, of all its processes together, 0.001 or more; 0: no limit
 */
public record DemoPace(double perSecond) {

    /** The minimum, so that the share of each process is one that a worker can have. */
    private static final double MIN_PER_SECOND = 0.001;

    private static final double MAX_PER_SECOND = 1e6;

    public DemoPace {
        if (perSecond != 0 && !(perSecond >= MIN_PER_SECOND && perSecond <= MAX_PER_SECOND)) {
            throw new IllegalArgumentException("--pace: %s (expected: 0, for no limit, or %s to %.0f)"
                    .formatted(perSecond, MIN_PER_SECOND, MAX_PER_SECOND));
        }
    }

    /** Returns the rate of each of several processes, in tasks per second. Without a limit, no process reaches it. */
    public double of(int processes) {
        return perSecond == 0 ? MAX_PER_SECOND : perSecond / processes;
    }
}
