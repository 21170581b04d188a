package io.taskmaster.client;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;

/**
 * Whether a failed attempt is worth another, and after which delay. An error after which nothing was done is always safe to
 * retry; one with an unknown outcome only if the call can be repeated; every other would only fail again.
 *
 * <p>The delay is what the server asked for, lengthened by up to a half at random, plus a back-off that doubles from attempt to
 * attempt up to a cap and is shortened by up to a half at random: so that callers who failed together do not come back together,
 * and none before the server wants it. Immutable.
 *
 * @param maxRetries how many retries one call gets, within its deadline
 * @param attemptNanos how long one attempt of a call that can be repeated may take; what cannot be repeated has the whole deadline
 * @param windowNanos how long after its first attempt an update with a request id may be repeated: how long the server remembers
 *     the id
 * @param random from 0 to 1
 */
record RetryRule(int maxRetries, long attemptNanos, long windowNanos, DoubleSupplier random) {

    static final long FIRST_BACKOFF_NANOS = Duration.ofMillis(20).toNanos();
    static final long MAX_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();

    private static final int MAX_DOUBLINGS = 10;

    /**
     * The delay before the next attempt, or nothing if the error is final.
     *
     * @param repeatable whether the call can be repeated when it is not known whether it was done
     * @param retries how many retries the call has had
     * @param remainingNanos until the last moment at which it may be retried
     */
    OptionalLong delayNanos(TaskMasterException error, boolean repeatable, int retries, long remainingNanos) {
        if (retries >= maxRetries || !safe(error, repeatable)) {
            return OptionalLong.empty();
        }
        long backoff = Math.min(MAX_BACKOFF_NANOS, FIRST_BACKOFF_NANOS << Math.min(retries, MAX_DOUBLINGS));
        long jittered = (long) (backoff * (1 - random.getAsDouble() / 2));
        Optional<Duration> asked = error.retryAfter().filter(Duration::isPositive);
        // First of all because a delay of centuries is not a number of nanoseconds.
        if (asked.isPresent() && asked.get().compareTo(Duration.ofNanos(remainingNanos)) >= 0) {
            return OptionalLong.empty();
        }
        double askedNanos = asked.map(Duration::toNanos).orElse(0L) * (1 + random.getAsDouble() / 2);
        long delay = (long) askedNanos + jittered;
        return delay < remainingNanos ? OptionalLong.of(delay) : OptionalLong.empty();
    }

    private static boolean safe(TaskMasterException error, boolean repeatable) {
        return switch (error.code().advice()) {
            case RETRY_LATER -> true;
            // The same request would bring the same reply, too large again.
            case OUTCOME_UNKNOWN -> repeatable && error.code() != ErrorCode.REPLY_TOO_LARGE;
            case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, SERVER_FAULT -> false;
        };
    }
}
