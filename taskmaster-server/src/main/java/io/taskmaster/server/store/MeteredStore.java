package io.taskmaster.server.store;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.StoreException.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A decorator that measures every operation of a store. Thread-safe.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><td>{@code taskmaster.store.operations}</td><td>latency of operations, by {@code operation} and
 *       {@code outcome}: {@code done}, or one of {@link StoreException.Outcome}. Log rows are put if absent, flush
 *       rounds write or stage and sync, lookups read, refills and recovery scan</td></tr>
 *   <tr><td>{@code taskmaster.store.written}</td><td>bytes of values that were passed to the store, by
 *       {@code operation}</td></tr>
 *   <tr><td>{@code taskmaster.store.open}</td><td>1 while the store takes operations, 0 while it is being reopened or
 *       is lost</td></tr>
 *   <tr><td>{@code taskmaster.store.free}</td><td>free bytes of the store's disk, if it is on one</td></tr>
 *   <tr><td>{@code taskmaster.store.reopened}</td><td>the number of times that the store failed and was
 *       reopened</td></tr>
 * </table>
 */
public final class MeteredStore extends ForwardingStore {

    /**
     * Histogram buckets, from a read out of memory to a call that times out. The monitoring system computes percentiles
     * from the difference of two scrapes: histograms of several nodes can be added up, precomputed percentiles cannot,
     * and each query chooses its own interval.
     */
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30)
    };

    private static final String DONE = "done";

    private final Store store;
    private final MeterRegistry registry;
    private final MeterProvider<Timer> times;
    private final MeterProvider<Counter> written;

    public MeteredStore(Store store, MeterRegistry registry) {
        this.store = store;
        this.registry = registry;
        this.times = Timer.builder("taskmaster.store.operations")
                .description("Duration of store operations")
                .serviceLevelObjectives(BUCKETS)
                .withRegistry(registry);
        this.written = Counter.builder("taskmaster.store.written")
                .description("Bytes of values written to the store")
                .baseUnit("bytes")
                .withRegistry(registry);
        Gauge.builder("taskmaster.store.open", () -> isOpen() ? 1 : 0)
                .description("1 while the store accepts operations, otherwise 0")
                .register(registry);
        Gauge.builder("taskmaster.store.free", () -> condition().freeBytes().orElse(0))
                .description("Free space of the disk that holds the data; 0 if it is not known")
                .baseUnit("bytes")
                .register(registry);
        FunctionCounter.builder("taskmaster.store.reopened", this, at ->
                        (double) at.condition().reopenings())
                .description("Times that the store failed and was reopened")
                .register(registry);
    }

    private MeteredStore(
            Store store, MeterRegistry registry, MeterProvider<Timer> times, MeterProvider<Counter> written) {
        this.store = store;
        this.registry = registry;
        this.times = times;
        this.written = written;
    }

    private boolean isOpen() {
        return condition().state() == StoreCondition.State.OPEN;
    }

    @Override
    protected Store delegate() {
        return store;
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        count("write", writes);
        return timed("write", () -> store.write(writes));
    }

    @Override
    public CompletableFuture<Void> stage(List<CellWrite> writes) {
        count("stage", writes);
        return timed("stage", () -> store.stage(writes));
    }

    @Override
    public CompletableFuture<Void> sync() {
        return timed("sync", store::sync);
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        count("put_if_absent", value.size());
        return timed("put_if_absent", () -> store.putIfAbsent(key, value));
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        count("compare_and_set", value.size());
        return timed("compare_and_set", () -> store.compareAndSet(key, expected, value));
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return timed("read", () -> store.read(keys));
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return timed("scan", () -> store.scan(range, limit));
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return timed("delete_range", () -> store.deleteRange(range));
    }

    @Override
    public Store session() {
        return new MeteredStore(store.session(), registry, times, written);
    }

    private <T> CompletableFuture<T> timed(String operation, Supplier<CompletableFuture<T>> call) {
        Timer.Sample sample = Timer.start(registry);
        CompletableFuture<T> result = call.get();
        var _ = result.whenComplete(
                (_, failure) -> sample.stop(times.withTags("operation", operation, "outcome", outcome(failure))));
        return result;
    }

    private static String outcome(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> DONE;
            case StoreException known -> known.outcome().name().toLowerCase(Locale.ROOT);
            default -> Outcome.UNKNOWN.name().toLowerCase(Locale.ROOT);
        };
    }

    private void count(String operation, List<CellWrite> writes) {
        long bytes = 0;
        for (CellWrite write : writes) {
            bytes += write instanceof CellWrite.Put put ? put.value().size() : 0;
        }
        count(operation, bytes);
    }

    private void count(String operation, long bytes) {
        written.withTags("operation", operation).increment((double) bytes);
    }
}
