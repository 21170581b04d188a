package io.taskmaster.examples.conversion.stage;

import java.time.Duration;

/**
 * The back-off policy of failed documents, which bounds the time that a request can remain in the system (paper section
 * 7). Immutable.
 *
 * @param first the delay after the first failure, which doubles with each further one
 * @param maxFailures the number of failures after which a document is denied
 */
public record Backoff(Duration first, int maxFailures) {

    private static final int MOST = 30;

    public Backoff {
        if (first.isNegative() || first.isZero() || maxFailures < 1 || maxFailures > MOST) {
            throw new IllegalArgumentException("first, maxFailures: %s, %d (expected: more than 0, and 1 to %d)"
                    .formatted(first, maxFailures, MOST));
        }
    }

    /**
     * Returns the delay after a failure.
     *
     * @param failure the number of the failure, from 1
     */
    Duration delay(int failure) {
        return first.multipliedBy(1L << (failure - 1));
    }
}
