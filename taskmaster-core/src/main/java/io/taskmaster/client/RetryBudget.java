package io.taskmaster.client;

import io.taskmaster.error.ErrorCode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a client may add to the load of a server that has too much of it already: a bucket of tokens. Every call brings a share of a
 * token, every retry after a sign of overload takes a whole one, and without one there is no retry. So retries are at most that
 * share of the calls, besides a small, constant rate that lets a client retry that calls seldom, and a first burst.
 *
 * <p>Other retries are free: after a refusal because of a move or a start the server is not overloaded, and without a connection
 * nothing was sent. Their back-off bounds them. Thread-safe.
 */
final class RetryBudget {

    /** Tokens that come by themselves. */
    static final int PER_SECOND = 10;

    /** Tokens there are at first, and at most. */
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

    /** In nanoseconds that a token takes to come by itself. */
    private final AtomicLong level = new AtomicLong(FULL);

    private final AtomicLong filledNanos;
    private final long perCall;

    /**
     * @param share of the calls that may be retried after a sign of overload, from 0
     */
    RetryBudget(double share, long nowNanos) {
        this.perCall = (long) (TOKEN * share);
        this.filledNanos = new AtomicLong(nowNanos);
    }

    /** Counts a first attempt. */
    void called() {
        if (level.get() < FULL) {
            add(perCall);
        }
    }

    /** Whether a retry after this error is within the budget, which it then has used. */
    boolean allows(ErrorCode error, long nowNanos) {
        if (!SIGNS_OF_OVERLOAD.contains(error)) {
            return true;
        }
        long last = filledNanos.get();
        if (nowNanos > last && filledNanos.compareAndSet(last, nowNanos)) {
            add(Math.min(FULL, nowNanos - last));
        }
        return level.getAndUpdate(now -> now >= TOKEN ? now - TOKEN : now) >= TOKEN;
    }

    private void add(long amount) {
        level.accumulateAndGet(amount, (now, more) -> Math.min(FULL, now + more));
    }
}
