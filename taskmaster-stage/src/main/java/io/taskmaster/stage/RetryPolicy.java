package io.taskmaster.stage;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When a task is tried again that could not be done: exponential back-off with full jitter, which spreads the retries of tasks that failed
 * together. Immutable: a method that sets something returns a changed copy.
 *
 * @param maxAttempts after so many the task is dead; attempts whose worker died count
 * @param firstDelay the longest delay before the second attempt
 * @param maxDelay the longest delay of all
 * @param budget how many retries there may be for each task that got on, over a burst of {@value #BURST}; what is over it waits for
 *     half of the longest delay or more, so a stage that fails at everything does not keep the server busy with it
 */
public record RetryPolicy(int maxAttempts, Duration firstDelay, Duration maxDelay, double budget) {

    /** Ten attempts, a second, ten minutes, and a retry for every fifth task. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(10, Duration.ofSeconds(1), Duration.ofMinutes(10), 0.2);

    /** Retries there may be before any task got on. */
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
                    "firstDelay, maxDelay: %s, %s (expected: 0 or more, not less than the first and at most %s)"
                            .formatted(firstDelay, maxDelay, Outcome.Retry.MAX_DELAY));
        }
        if (!(budget >= 0)) {
            throw new IllegalArgumentException("budget: %s (expected: 0 or more)".formatted(budget));
        }
    }

    public RetryPolicy maxAttempts(int attempts) {
        return new RetryPolicy(attempts, firstDelay, maxDelay, budget);
    }

    public RetryPolicy delays(Duration first, Duration max) {
        return new RetryPolicy(maxAttempts, first, max, budget);
    }

    public RetryPolicy budget(double share) {
        return new RetryPolicy(maxAttempts, firstDelay, maxDelay, share);
    }

    /**
     * How long to wait after an attempt.
     *
     * @param attempt from 1
     */
    public Duration delay(int attempt, RandomGenerator random) {
        long doubled = saturated(firstDelay.toNanos(), Math.min(attempt - 1, MAX_DOUBLINGS));
        return Duration.ofNanos(random.nextLong(Math.min(doubled, maxDelay.toNanos()) + 1));
    }

    /** How long a retry waits that is over the budget: at least half of the longest delay, so that these are spread, too. */
    public Duration delayOverBudget(RandomGenerator random) {
        long half = maxDelay.toNanos() / 2;
        return Duration.ofNanos(half + random.nextLong(half + 1));
    }

    private static long saturated(long value, int doublings) {
        return value > Long.MAX_VALUE >> (doublings + 1) ? Long.MAX_VALUE >> 1 : value << doublings;
    }
}
