package io.taskmaster.client;

import io.taskmaster.error.ErrorCode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the load that the retries of a client add to an overloaded server: a token bucket. Each call adds a share
 * of a token. Each retry after a sign of overload takes a whole one, and without one there is no retry. So retries are
 * at most that share of the calls, plus a small constant rate for clients with few calls, and an initial burst.
 *
 * <p>Other retries are free. After a refusal because a partition moves or starts, the server is not overloaded; without
 * a connection nothing was sent. Their back-off bounds them. Thread-safe, without locks.
 */
final class RetryBudget {

    /** The constant rate, in tokens per second. */
    static final int PER_SECOND = 10;

    /** The initial and the maximum number of tokens. */
    static final int BURST = 100;

    private static final Set<ErrorCode> SIGNS_OF_OVERLOAD = EnumSet.of(
            ErrorCode.OVERLOADED,
            ErrorCode.DEDUP_FULL,
            ErrorCode.TOO_MANY_QUEUES,
            ErrorCode.STORE_FULL,
            ErrorCode.READ_FAILED,
            ErrorCode.DEADLINE_EXCEEDED);

    private static final long TOKEN = Duration.ofSeconds(1).toNanos() / PER_SECOND;
    private static final long FULL = BURST * TOKEN;

    /** The level of the bucket, in nanoseconds: {@link #TOKEN} of them are one token. */
    private final AtomicLong level = new AtomicLong(FULL);

    private final AtomicLong filledNanos;
    private final long perCall;

    /**
     * Creates a full bucket.
     *
     * @param share the share of the calls that may be retried after a sign of overload, 0 or more
     */
    RetryBudget(double share, long nowNanos) {
        this.perCall = (long) (TOKEN * share);
        this.filledNanos = new AtomicLong(nowNanos);
    }

    /** Counts the first attempt of a call. */
    void called() {
        if (level.get() < FULL) {
            add(perCall);
        }
    }

    /** Takes a token if the error is a sign of overload. Returns whether the retry is within the budget. */
    boolean allows(ErrorCode error, long nowNanos) {
        if (!SIGNS_OF_OVERLOAD.contains(error)) {
            return true;
        }
        long last = filledNanos.get();
        // One thread credits each span of time: the one that wins the exchange.
        if (nowNanos > last && filledNanos.compareAndSet(last, nowNanos)) {
            add(Math.min(FULL, nowNanos - last));
        }
        return level.getAndUpdate(now -> now >= TOKEN ? now - TOKEN : now) >= TOKEN;
    }

    private void add(long amount) {
        level.accumulateAndGet(amount, (now, more) -> Math.min(FULL, now + more));
    }
}
