package io.taskmaster.server.partition.log;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * The partition's loop as the log sees it: where every outcome of the store comes back to before anybody looks at it. What hangs
 * on a future of this class runs on the loop. Immutable.
 *
 * @param maxTries how often an operation is tried, all told
 */
record Loop(TimedExecutor executor, int maxTries) {

    /** A store that has too much to do refuses; it is given time, more with each try. */
    private static final long RETRY_MILLIS = 20;

    /** Runs something again. */
    void again(int tries, Runnable task) {
        executor.schedule(RETRY_MILLIS * tries, task);
    }

    /** Complete when it is time to try again. */
    CompletableFuture<Void> pause(int tries) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        again(tries, () -> over.complete(null));
        return over;
    }

    /** Brings an outcome back to the loop. */
    <T> CompletableFuture<T> hop(CompletableFuture<T> operation) {
        CompletableFuture<T> here = new CompletableFuture<>();
        var _ = operation.whenCompleteAsync((value, failure) -> settle(here, value, failure), executor);
        return here;
    }

    /** Tries an operation that is harmless to repeat until it succeeds or the tries are used up. */
    <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> operation) {
        return attempt(operation, 1);
    }

    private <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> operation, int tries) {
        return hop(operation.get())
                .exceptionallyCompose(failure -> tries < maxTries && unwrap(failure) instanceof StoreException
                        ? pause(tries).thenCompose(_ -> attempt(operation, tries + 1))
                        : CompletableFuture.failedFuture(failure));
    }

    /** The same future, but failing with the exception itself where that one wraps it. */
    static <T> CompletableFuture<T> bare(CompletableFuture<T> wrapping) {
        CompletableFuture<T> bare = new CompletableFuture<>();
        var _ = wrapping.whenComplete((value, failure) -> settle(bare, value, failure));
        return bare;
    }

    static StoreException unknown(String message) {
        return new StoreException(Outcome.UNKNOWN, message, null);
    }

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static <T> void settle(CompletableFuture<T> future, T value, Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(unwrap(failure));
        }
    }
}
