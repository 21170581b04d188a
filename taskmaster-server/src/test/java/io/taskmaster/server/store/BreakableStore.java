package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A handle of a store that may have other handles, too, and that a test can break. A broken handle fails every
 * operation. Thread-safe.
 */
public final class BreakableStore implements Store {

    private final Store store;
    private final Runnable closing;
    private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();

    public BreakableStore(Store store) {
        this(store, () -> {});
    }

    /**
     * Creates a handle with a close action of its own.
     *
     * @param closing runs on close, instead of closing the store
     */
    public BreakableStore(Store store, Runnable closing) {
        this.store = store;
        this.closing = closing;
    }

    public void breakDown() {
        broken.complete(
                new StoreException(Outcome.UNKNOWN, "write: IOError: While fdatasync: Input/output error", null));
    }

    @Override
    public CompletableFuture<RuntimeException> broken() {
        return broken;
    }

    private <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> operation) {
        return broken.isDone() ? CompletableFuture.failedFuture(broken.join()) : operation.get();
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        return call(() -> store.write(writes));
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return call(() -> store.putIfAbsent(key, value));
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return call(() -> store.compareAndSet(key, expected, value));
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return call(() -> store.read(keys));
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return call(() -> store.scan(range, limit));
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return call(() -> store.deleteRange(range));
    }

    @Override
    public void close() {
        closing.run();
    }
}
