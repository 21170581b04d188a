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
 * Does something that is harmless to repeat until the store plays along: one that is just being set up, or moves what is asked for, refuses
 * for a while, or does not answer. Stateless.
 */
public final class Insistence {

    private static final Logger log = LoggerFactory.getLogger(Insistence.class);
    private static final long PAUSE_MILLIS = 100;

    private Insistence() {}

    /** The outcome of the first try that the store neither refused nor left open, or of the last one that began within the limit; there is one at least. */
    public static <T> CompletableFuture<T> on(Supplier<CompletableFuture<T>> operation, Duration limit) {
        CompletableFuture<Void> over = limit.isZero()
                ? CompletableFuture.completedFuture(null)
                : new CompletableFuture<Void>().completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS);
        return on(operation, over, 1);
    }

    private static <T> CompletableFuture<T> on(
            Supplier<CompletableFuture<T>> operation, CompletableFuture<Void> over, int tries) {
        return operation.get().exceptionallyCompose(failure -> {
            if (over.isDone() || !maySucceedLater(failure)) {
                return CompletableFuture.failedFuture(failure);
            }
            if (tries == 1) {
                log.info(
                        "the store is not ready yet, trying on: {}",
                        unwrap(failure).getMessage());
            }
            Executor later = CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return CompletableFuture.runAsync(() -> {}, later).thenCompose(_ -> on(operation, over, tries + 1));
        });
    }

    private static boolean maySucceedLater(Throwable failure) {
        return unwrap(failure) instanceof StoreException told
                && (told.outcome() == Outcome.REFUSED || told.outcome() == Outcome.UNKNOWN);
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
