package io.taskmaster.server.partition.calls;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the store from a partition's loop: every outcome is brought back to the loop before it is handled, and
 * retryable failures are retried after a pause that grows from 20 ms to 500 ms. Immutable.
 *
 * @param loop the loop on which outcomes are handled
 * @param maxTries the total number of tries of an operation that fails otherwise than by a refusal
 */
public record StoreCalls(TimedExecutor loop, int maxTries) {

    private static final long MIN_BACKOFF_MILLIS = 20;
    private static final long MAX_BACKOFF_MILLIS = 500;

    /** The number of refusals that are retried: an overloaded store gets about half a minute. */
    private static final int MAX_REFUSALS = 70;

    /** A consumer of an outcome: the value, or a failure. */
    public interface Receiver<T> extends BiConsumer<@Nullable T, @Nullable Throwable> {}

    /**
     * Performs a read, or another operation that is safe to repeat: retried until it succeeds or the tries are used up.
     */
    public <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> operation) {
        return unwrapped(attempt(operation, 1));
    }

    private <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> operation, int tries) {
        return completeOnLoop(operation.get())
                .exceptionallyCompose(failure -> tries < maxTries && isRetriable(failure)
                        ? backOff(tries).thenCompose(_ -> attempt(operation, tries + 1))
                        : CompletableFuture.failedFuture(failure));
    }

    /**
     * Performs a write: repeated as long as the store definitely refuses it.
     *
     * @param unknownTries the number of tries while the outcome is unknown
     */
    public <T> CompletableFuture<T> retry(Supplier<CompletableFuture<T>> operation, int unknownTries) {
        return unwrapped(retry(operation, unknownTries, 1, 1));
    }

    private <T> CompletableFuture<T> retry(
            Supplier<CompletableFuture<T>> operation, int unknownTries, int refusals, int unknowns) {
        return completeOnLoop(operation.get()).exceptionallyCompose(failure -> {
            // Counted apart: refusals of an overloaded store must not use up the tries for unknown outcomes.
            boolean refused = outcomeOf(failure) == Outcome.REFUSED;
            boolean unknown = outcomeOf(failure) == Outcome.UNKNOWN;
            if (refused ? refusals < MAX_REFUSALS : unknown && unknowns < unknownTries) {
                return backOff(refused ? refusals : unknowns)
                        .thenCompose(_ -> retry(
                                operation, unknownTries, refusals + (refused ? 1 : 0), unknowns + (unknown ? 1 : 0)));
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    /** Returns a future that completes when the next try is due. */
    public CompletableFuture<Void> backOff(int tries) {
        CompletableFuture<Void> elapsed = new CompletableFuture<>();
        loop.schedule(Math.min(MIN_BACKOFF_MILLIS * tries, MAX_BACKOFF_MILLIS), () -> elapsed.complete(null));
        return elapsed;
    }

    /** Brings an outcome back to the loop. */
    <T> CompletableFuture<T> completeOnLoop(CompletableFuture<T> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        var _ = operation.whenComplete((value, failure) -> loop.execute(() -> settle(result, value, failure)));
        return result;
    }

    /** Delivers an outcome in a task of the loop of its own, so that an exception of the receiver reaches the loop. */
    public <T> void deliver(CompletableFuture<T> operation, Receiver<T> receiver) {
        var _ = operation.whenComplete((value, failure) ->
                loop.execute(() -> receiver.accept(value, failure == null ? null : unwrap(failure))));
    }

    /** Returns the same future, but failing with the original exception instead of a wrapper. */
    public static <T> CompletableFuture<T> unwrapped(CompletableFuture<T> wrapped) {
        CompletableFuture<T> unwrapped = new CompletableFuture<>();
        var _ = wrapped.whenComplete((value, failure) -> settle(unwrapped, value, failure));
        return unwrapped;
    }

    public static StoreException unknown(String message) {
        return new StoreException(Outcome.UNKNOWN, message, null);
    }

    /** Returns the original failure where a future has wrapped it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /**
     * Returns true if a write is known to have been done. A write that failed because of corruption is not read back:
     * the failure is thrown.
     */
    public static boolean isDone(@Nullable Boolean done, @Nullable Throwable failure) {
        if (failure != null
                && outcomeOf(failure) == Outcome.CORRUPT
                && unwrap(failure) instanceof StoreException damage) {
            throw damage;
        }
        return failure == null && Boolean.TRUE.equals(done);
    }

    private static boolean isRetriable(Throwable failure) {
        Outcome outcome = outcomeOf(failure);
        return outcome == Outcome.REFUSED || outcome == Outcome.UNKNOWN;
    }

    private static @Nullable Outcome outcomeOf(Throwable failure) {
        return unwrap(failure) instanceof StoreException store ? store.outcome() : null;
    }

    private static <T> void settle(CompletableFuture<T> future, T value, Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(unwrap(failure));
        }
    }
}
