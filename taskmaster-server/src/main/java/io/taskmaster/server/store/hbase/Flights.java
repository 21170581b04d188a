package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The operations of one kind that are on their way: bounded, so that a slow store does not fill our memory, and each ended in our terms,
 * also when the store is closed under it. Thread-safe.
 */
final class Flights {

    private final String kind;
    private final long limit;
    private final Function<Throwable, StoreException> failures;
    private final AtomicLong weight = new AtomicLong();
    private final AtomicLong launched = new AtomicLong();
    private final Map<Long, CompletableFuture<?>> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param kind for people
     * @param limit of the weights on their way together; one operation alone may weigh more
     * @param failures what to make of a failure of the client
     */
    Flights(String kind, long limit, Function<Throwable, StoreException> failures) {
        this.kind = kind;
        this.limit = limit;
        this.failures = failures;
    }

    /** Begins an operation, unless too much is on its way. Its outcome, with failures in our terms. */
    <T> CompletableFuture<T> launch(long itsWeight, Supplier<CompletableFuture<T>> operation) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        long before = weight.getAndAdd(itsWeight);
        if (closed || (before > 0 && before + itsWeight > limit)) {
            weight.addAndGet(-itsWeight);
            String why = closed ? "closed" : kind + " in flight: " + before + " (expected: at most " + limit + ")";
            outcome.completeExceptionally(new StoreException(Outcome.REFUSED, "store: " + why, null));
            return outcome;
        }
        long number = launched.incrementAndGet();
        open.put(number, outcome);
        var _ = begin(operation).whenComplete((value, failure) -> {
            weight.addAndGet(-itsWeight);
            open.remove(number);
            if (failure == null) {
                outcome.complete(value);
            } else {
                outcome.completeExceptionally(failures.apply(failure));
            }
        });
        return outcome;
    }

    /** The operation's future, failed if it could not even begin. */
    static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> operation) {
        try {
            return operation.get();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Refuses what comes from now on, and waits for what is on its way. Blocks, for as long as the limit says at most. */
    void close(Duration patience) {
        closed = true;
        CompletableFuture<Void> all = CompletableFuture.allOf(open.values().toArray(CompletableFuture<?>[]::new))
                .exceptionally(_ -> null);
        try {
            all.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            open.values()
                    .forEach(outcome -> outcome.completeExceptionally(
                            new StoreException(Outcome.UNKNOWN, "store: closed before it answered", late)));
        }
    }
}
