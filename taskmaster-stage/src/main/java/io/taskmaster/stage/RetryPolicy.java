package io.taskmaster.stage;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delays and the number of retries of a failed task: exponential back-off with full jitter, which spreads the
 * retries of tasks that failed together. Immutable: a method that sets a value returns a changed copy.
 *
 * @param maxAttempts the number of attempts after which the task becomes a dead letter; default 10. Attempts whose
 *     worker died count
 * @param firstDelay the longest delay before the second attempt; default 1 s
 * @param maxDelay the longest delay of all; default 10 min
 * @param budget the number of early retries for each task that is done, beyond a burst of {@value #BURST}; default 0.2.
 *     Retries beyond it wait for at least half of the longest delay, so a stage that fails at everything does not keep
 *     the server busy
 */
public record RetryPolicy(int maxAttempts, Duration firstDelay, Duration maxDelay, double budget) {

    /** Ten attempts, delays of 1 s to 10 min, and one early retry for every fifth task. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(10, Duration.ofSeconds(1), Duration.ofMinutes(10), 0.2);

    /** The number of early retries before any task is done. */
    public static final int BURST = 100;

    private static final int MAX_DOUBLINGS = 40;

    public RetryPolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts: %d (expected: 1 or more)".formatted(maxAttempts));
        }
        if (firstDelay.isNegative()
                || maxDelay.compareTo(firstDelay) < 0
                || maxDelay.compareTo(Outcome.Retry.MAX_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "firstDelay, maxDelay: %s, %s (expected: 0 <= firstDelay <= maxDelay <= %s)"
                            .formatted(firstDelay, maxDelay, Outcome.Retry.MAX_DELAY));
        }
        if (!(budget >= 0)) {
            throw new IllegalArgumentException("budget: %s (expected: 0 or more)".formatted(budget));
        }
    }

    /** Sets the number of attempts, 1 or more. */
    public RetryPolicy maxAttempts(int attempts) {
        return new RetryPolicy(attempts, firstDelay, maxDelay, budget);
    }

    /** Sets the longest first delay and the longest delay of all. */
    public RetryPolicy delays(Duration first, Duration max) {
        return new RetryPolicy(maxAttempts, first, max, budget);
    }

    /** Sets the number of early retries for each task that is done, 0 or more. */
    public RetryPolicy budget(double share) {
        return new RetryPolicy(maxAttempts, firstDelay, maxDelay, share);
    }

    /**
     * Returns the random delay after an attempt.
     *
     * @param attempt the number of the attempt that failed, from 1
     */
    public Duration delay(int attempt, RandomGenerator random) {
        long doubled = saturated(firstDelay.toNanos(), Math.min(attempt - 1, MAX_DOUBLINGS));
        return Duration.ofNanos(random.nextLong(Math.min(doubled, maxDelay.toNanos()) + 1));
    }

    /** Returns the delay of a retry beyond the budget: half of the longest delay to all of it, at random. */
    public Duration delayOverBudget(RandomGenerator random) {
        long half = maxDelay.toNanos() / 2;
        return Duration.ofNanos(half + random.nextLong(half + 1));
    }

    private static long saturated(long value, int doublings) {
        return value > Long.MAX_VALUE >> (doublings + 1) ? Long.MAX_VALUE >> 1 : value << doublings;
    }
}
