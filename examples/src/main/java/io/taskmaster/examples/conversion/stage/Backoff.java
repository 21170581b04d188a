package io.taskmaster.examples.conversion.stage;

import java.time.Duration;

/**
 * How long a document waits after so many failures in a row, and after how many it is given up. So the time that a request can remain in the
 * system is bounded (paper section 7). Immutable.
 *
 * @param first the wait after the first failure; each further one doubles it
 * @param maxFailures the last of which is the end
 */
public record Backoff(Duration first, int maxFailures) {

    private static final int MOST = 30;

    public Backoff {
        if (first.isNegative() || first.isZero() || maxFailures < 1 || maxFailures > MOST) {
            throw new IllegalArgumentException("first, maxFailures: %s, %d (expected: more than 0, and 1 to %d)"
                    .formatted(first, maxFailures, MOST));
        }
    }

    /** The wait after this failure, from 1. */
    Duration delay(int failure) {
        return first.multipliedBy(1L << (failure - 1));
    }
}
