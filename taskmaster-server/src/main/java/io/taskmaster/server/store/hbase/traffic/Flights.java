package io.taskmaster.server.store.hbase.traffic;

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
 * The operations of one kind that are on their way: bounded, so that a slow store does not fill our memory, nor a part of it that hangs the
 * share of the others, and each ended in our terms, also when the store is closed under it. Thread-safe.
 */
public final class Flights {

    private final String kind;
    private final long limit;
    private final Function<Throwable, StoreException> failures;
    private final Shares weights;
    private final AtomicLong launched = new AtomicLong();
    private final Map<Long, CompletableFuture<?>> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param kind for people
     * @param limit of the weights on their way together; one operation alone in its lane may weigh more
     * @param failures what to make of a failure of the client
     */
    public Flights(String kind, long limit, int lanes, Function<Throwable, StoreException> failures) {
        this.kind = kind;
        this.limit = limit;
        this.weights = new Shares(limit, lanes);
        this.failures = failures;
    }

    /** Begins an operation, unless too much is on its way. Its outcome, with failures in our terms. */
    public <T> CompletableFuture<T> launch(int lane, long weight, Supplier<CompletableFuture<T>> operation) {
        if (closed) {
            return refused("closed");
        }
        if (!weights.take(lane, weight)) {
            return refused(kind + " in flight: no room for " + weight + " more (expected: at most " + limit
                    + " in all, of which each slice of the partitions has a share)");
        }
        CompletableFuture<T> outcome = new CompletableFuture<>();
        long number = launched.incrementAndGet();
        open.put(number, outcome);
        var _ = begin(operation).whenComplete((value, failure) -> {
            weights.give(lane, weight);
            open.remove(number);
            if (failure == null) {
                outcome.complete(value);
            } else {
                outcome.completeExceptionally(failures.apply(failure));
            }
        });
        return outcome;
    }

    private static <T> CompletableFuture<T> refused(String why) {
        return CompletableFuture.failedFuture(new StoreException(Outcome.REFUSED, "store: " + why, null));
    }

    /** The operation's future, failed if it could not even begin. */
    public static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> operation) {
        try {
            return operation.get();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Refuses what comes from now on, and waits for what is on its way. Blocks, for as long as the limit says at most. */
    public void close(Duration patience) {
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
