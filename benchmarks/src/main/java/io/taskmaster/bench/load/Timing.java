package io.taskmaster.bench.load;

import java.time.Duration;

/** How long a load warms up and how long it is measured after that. Immutable. */
public record Timing(Duration warmup, Duration measured) {

    /** For work that ends by itself: measured from the start until it runs dry, which is late after ten minutes. */
    public static final Timing UNTIL_DRY = new Timing(Duration.ZERO, Duration.ofMinutes(10));

    /** Checks that there is something to measure. */
    public Timing {
        if (warmup.isNegative() || measured.isNegative() || measured.isZero()) {
            throw new IllegalArgumentException(
                    "timing: " + warmup + ", " + measured + " (expected: at least 0, more than 0)");
        }
    }
}
