package io.taskmaster.server.store;

import io.taskmaster.server.store.StoreException.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A retry loop for idempotent store operations. It retries while the store refuses or does not answer, as a store does
 * that is being set up or moves the data that the operation names. Stateless.
 */
public final class RetryUntilReady {

    private static final Logger log = LoggerFactory.getLogger(RetryUntilReady.class);
    private static final long PAUSE_MILLIS = 100;

    private RetryUntilReady() {}

    /**
     * Runs the operation until a try is neither refused nor of unknown outcome, or until the limit has passed. It
     * pauses 100 ms between tries.
     *
     * <p>Completes with the outcome of the last try. At least one try is made; none begins after the limit.
     */
    public static <T> CompletableFuture<T> on(Supplier<CompletableFuture<T>> operation, Duration limit) {
        // A limit of zero is over at once: a timer would fire later, and a second try could begin before.
        CompletableFuture<Void> expired = limit.isZero()
                ? CompletableFuture.completedFuture(null)
                : new CompletableFuture<Void>().completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS);
        return on(operation, expired, 1);
    }

    private static <T> CompletableFuture<T> on(
            Supplier<CompletableFuture<T>> operation, CompletableFuture<Void> expired, int tries) {
        return operation.get().exceptionallyCompose(failure -> {
            if (expired.isDone() || !isRetriable(failure)) {
                return CompletableFuture.failedFuture(failure);
            }
            if (tries == 1) {
                log.info(
                        "the store is not ready yet; retrying: {}",
                        unwrap(failure).getMessage());
            }
            Executor later = CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return CompletableFuture.runAsync(() -> {}, later).thenCompose(_ -> on(operation, expired, tries + 1));
        });
    }

    private static boolean isRetriable(Throwable failure) {
        return unwrap(failure) instanceof StoreException told
                && (told.outcome() == Outcome.REFUSED || told.outcome() == Outcome.UNKNOWN);
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
