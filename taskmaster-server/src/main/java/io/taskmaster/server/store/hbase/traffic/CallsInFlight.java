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
 * The operations of one kind in flight. They are bounded in weight, so that a slow store does not fill the heap, and by
 * lane, so that a region that hangs does not take the share of the others. Each ends with a value or a
 * {@link StoreException}, also when the store is closed while it is in flight. Thread-safe.
 *
 * <p>Invariant: the weight of an operation is taken before the operation begins and returned exactly once, when the
 * client has completed it. An operation that {@link #close} gives up on fails at once, and its weight stays taken until
 * then.
 */
public final class CallsInFlight {

    private final String kind;
    private final long limit;
    private final Function<Throwable, StoreException> failures;
    private final LaneShares weights;
    private final AtomicLong launched = new AtomicLong();
    private final Map<Long, CompletableFuture<?>> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Creates an empty set of operations.
     *
     * @param kind the unit of the weights, for messages
     * @param limit the maximum total weight in flight; a single operation of a lane may weigh more
     * @param failures translates failures of the client
     */
    public CallsInFlight(String kind, long limit, int lanes, Function<Throwable, StoreException> failures) {
        this.kind = kind;
        this.limit = limit;
        this.weights = new LaneShares(limit, lanes);
        this.failures = failures;
    }

    /** Starts an operation, unless too much is in flight. Returns its outcome, with translated failures. */
    public <T> CompletableFuture<T> launch(int lane, long weight, Supplier<CompletableFuture<T>> operation) {
        if (!weights.take(lane, weight)) {
            return refused(kind + " in flight: no capacity for " + weight + " more (expected: at most " + limit
                    + " in total, divided among the partitions)");
        }
        // A future of its own, so that close() can fail it while the client still works on the operation.
        CompletableFuture<T> outcome = new CompletableFuture<>();
        long number = launched.incrementAndGet();
        open.put(number, outcome);
        // Only now: either this sees the flag, or close() sees the operation.
        if (closed) {
            open.remove(number);
            weights.give(lane, weight);
            outcome.completeExceptionally(refusal("closed"));
            return outcome;
        }
        var _ = begin(operation).whenComplete((value, failure) -> {
            // Before the outcome is delivered, so that an operation that follows on it finds the weight free.
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

    private static <T> CompletableFuture<T> refused(String reason) {
        return CompletableFuture.failedFuture(refusal(reason));
    }

    private static StoreException refusal(String reason) {
        return new StoreException(Outcome.REFUSED, "store: " + reason, null);
    }

    /** Returns the future of an operation, or a failed one if the operation throws. */
    public static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> operation) {
        try {
            return operation.get();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /**
     * Refuses operations from now on, and waits for those in flight. Blocks for {@code timeout} at most; what is then
     * still in flight fails with an unknown outcome.
     */
    public void close(Duration timeout) {
        closed = true;
        CompletableFuture<Void> all = CompletableFuture.allOf(open.values().toArray(CompletableFuture<?>[]::new))
                .exceptionally(_ -> null);
        try {
            all.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            open.values()
                    .forEach(outcome -> outcome.completeExceptionally(
                            new StoreException(Outcome.UNKNOWN, "store: closed before it replied", late)));
        }
    }
}
