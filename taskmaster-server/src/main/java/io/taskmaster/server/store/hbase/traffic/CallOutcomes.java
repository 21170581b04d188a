package io.taskmaster.server.store.hbase.traffic;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The combination of the outcomes of concurrent operations. Stateless. */
public final class CallOutcomes {

    private CallOutcomes() {}

    /**
     * Completes when all are complete. Fails if one of them failed; if several did, with the worst outcome: unknown is
     * worse than refused.
     */
    public static CompletableFuture<Void> all(Collection<CompletableFuture<Void>> futures) {
        if (futures.size() == 1) {
            return futures.iterator().next();
        }
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(worst(futures, failure)));
    }

    private static Throwable worst(Collection<CompletableFuture<Void>> futures, Throwable first) {
        Throwable worst = bare(first);
        for (CompletableFuture<Void> future : futures) {
            if (future.isCompletedExceptionally()) {
                Throwable failure = bare(future.exceptionNow());
                if (!isRefusal(failure)) {
                    return failure;
                }
                worst = failure;
            }
        }
        return worst;
    }

    /** Returns the failure without the wrapper of a future. */
    private static Throwable bare(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof StoreException store && store.outcome() == Outcome.REFUSED;
    }

    /** Completes one future with the outcome of another. */
    static <T> void copy(CompletableFuture<T> from, CompletableFuture<T> to) {
        var _ = from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    /** Returns the values of all, in order, or the failure of one. */
    public static <T> CompletableFuture<List<T>> values(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> {
                    List<T> values = new ArrayList<>(futures.size());
                    for (CompletableFuture<T> future : futures) {
                        @Nullable T value = future.join();
                        values.add(value);
                    }
                    return values;
                });
    }
}
