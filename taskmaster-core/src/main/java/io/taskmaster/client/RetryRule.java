package io.taskmaster.client;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;

/**
 * The decision whether a failed attempt is followed by another, and after which delay. An error after which nothing was
 * done is always safe to retry. One with an unknown outcome is safe if the call can be repeated. All others would only
 * fail again.
 *
 * <p>The delay is what the server asked for, lengthened at random by up to a half, plus a back-off that doubles with
 * each attempt up to a cap and is shortened at random by up to a half. So callers that failed together do not return
 * together, and none before the server asked for it. Immutable.
 *
 * @param maxRetries the maximum number of retries of one call, within its deadline
 * @param attemptNanos the time of one attempt of a call that can be repeated; others have the whole deadline
 * @param windowNanos the time after its first attempt in which an update with a request id may be repeated: the dedup
 *     window of the server
 * @param random returns numbers from 0 to 1
 */
record RetryRule(int maxRetries, long attemptNanos, long windowNanos, DoubleSupplier random) {

    static final long FIRST_BACKOFF_NANOS = Duration.ofMillis(20).toNanos();
    static final long MAX_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();

    private static final int MAX_DOUBLINGS = 10;

    /**
     * Returns the delay before the next attempt; empty if the error is final.
     *
     * @param repeatable whether the call can be repeated when its outcome is unknown
     * @param retries the number of retries of the call so far
     * @param remainingNanos the time until the last moment of a retry
     */
    OptionalLong delayNanos(TaskMasterException error, boolean repeatable, int retries, long remainingNanos) {
        if (retries >= maxRetries || !safe(error, repeatable)) {
            return OptionalLong.empty();
        }
        long backoff = Math.min(MAX_BACKOFF_NANOS, FIRST_BACKOFF_NANOS << Math.min(retries, MAX_DOUBLINGS));
        long jittered = (long) (backoff * (1 - random.getAsDouble() / 2));
        Optional<Duration> retryAfter = error.retryAfter().filter(Duration::isPositive);
        // This comes first because a delay of centuries does not fit into nanoseconds.
        if (retryAfter.isPresent() && retryAfter.get().compareTo(Duration.ofNanos(remainingNanos)) >= 0) {
            return OptionalLong.empty();
        }
        double retryAfterNanos = retryAfter.map(Duration::toNanos).orElse(0L) * (1 + random.getAsDouble() / 2);
        long delay = (long) retryAfterNanos + jittered;
        return delay < remainingNanos ? OptionalLong.of(delay) : OptionalLong.empty();
    }

    private static boolean safe(TaskMasterException error, boolean repeatable) {
        return switch (error.code().advice()) {
            case RETRY_LATER -> true;
            // A repetition would get the same reply, too large again.
            case OUTCOME_UNKNOWN -> repeatable && error.code() != ErrorCode.REPLY_TOO_LARGE;
            case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, SERVER_FAULT -> false;
        };
    }
}
