package io.taskmaster.bench.load;

import java.time.Duration;

/** The durations of a load's warm-up and of the measured time after it. Immutable. */
public record Timing(Duration warmup, Duration measured) {

    /**
     * The timing of work that ends by itself: measured from the start until no work is left, for at most ten minutes.
     */
    public static final Timing UNTIL_EXHAUSTED = new Timing(Duration.ZERO, Duration.ofMinutes(10));

    /** Checks that the warm-up is not negative and the measured time is positive. */
    public Timing {
        if (warmup.isNegative() || measured.isNegative() || measured.isZero()) {
            throw new IllegalArgumentException(
                    "timing: " + warmup + ", " + measured + " (expected: at least 0, more than 0)");
        }
    }
}
