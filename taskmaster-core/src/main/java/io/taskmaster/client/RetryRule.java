package io.taskmaster.client;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;

/**
 * Whether a failed attempt is worth another, and after which delay. An error after which nothing was done is always safe to
 * retry; one with an unknown outcome only if the call is harmless when done twice; every other would only fail again.
 *
 * <p>The delay is what the server asked for, plus a back-off that doubles from attempt to attempt up to a cap and is shortened by
 * up to a half at random, so that callers who failed together do not come back together. Immutable.
 *
 * @param maxRetries how many retries one call gets, within its deadline
 * @param random from 0 to 1
 */
record RetryRule(int maxRetries, DoubleSupplier random) {

    static final long FIRST_BACKOFF_NANOS = Duration.ofMillis(20).toNanos();
    static final long MAX_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();

    private static final int MAX_DOUBLINGS = 10;

    /**
     * The delay before the next attempt, or nothing if the error is final.
     *
     * @param harmless whether doing the call twice does no more than doing it once
     * @param retries how many retries the call has had
     * @param remainingNanos until its deadline
     */
    OptionalLong delayNanos(TaskMasterException error, boolean harmless, int retries, long remainingNanos) {
        if (retries >= maxRetries || !safe(error, harmless)) {
            return OptionalLong.empty();
        }
        long backoff = Math.min(MAX_BACKOFF_NANOS, FIRST_BACKOFF_NANOS << Math.min(retries, MAX_DOUBLINGS));
        long jittered = (long) (backoff * (1 - random.getAsDouble() / 2));
        Duration asked = error.retryAfter().orElse(Duration.ZERO);
        Duration delay = (asked.isNegative() ? Duration.ZERO : asked).plusNanos(jittered);
        return delay.compareTo(Duration.ofNanos(remainingNanos)) < 0
                ? OptionalLong.of(delay.toNanos())
                : OptionalLong.empty();
    }

    private static boolean safe(TaskMasterException error, boolean harmless) {
        return switch (error.code().advice()) {
            case RETRY_LATER -> true;
            // The same request would bring the same reply, too large again.
            case OUTCOME_UNKNOWN -> harmless && error.code() != ErrorCode.REPLY_TOO_LARGE;
            case CALLER_FAULT, NOT_SERVED, SERVER_FAULT -> false;
        };
    }
}
