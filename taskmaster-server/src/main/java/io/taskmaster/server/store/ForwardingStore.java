package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A store that forwards to another one. Subclasses override what they change. Sessions are not forwarded: that of a
 * forwarding store is the store itself unless a subclass says otherwise, since the other store's own would bypass it.
 * As thread-safe as its delegate.
 */
public abstract class ForwardingStore implements Store {

    /** Returns the store for the next operation. */
    protected abstract Store delegate();

    /** Performs an operation on the delegate; overridden where all operations are treated alike. */
    protected <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> operation) {
        return operation.get();
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        return call(() -> delegate().write(writes));
    }

    @Override
    public CompletableFuture<Void> stage(List<CellWrite> writes) {
        return call(() -> delegate().stage(writes));
    }

    @Override
    public CompletableFuture<Void> sync() {
        return call(() -> delegate().sync());
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return call(() -> delegate().putIfAbsent(key, value));
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return call(() -> delegate().compareAndSet(key, expected, value));
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return call(() -> delegate().read(keys));
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return call(() -> delegate().scan(range, limit));
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return call(() -> delegate().deleteRange(range));
    }

    @Override
    public int maxRowBytes() {
        return delegate().maxRowBytes();
    }

    @Override
    public FreeSpace freeSpace() {
        return delegate().freeSpace();
    }

    @Override
    public CompletableFuture<RuntimeException> broken() {
        return delegate().broken();
    }

    @Override
    public StoreCondition condition() {
        return delegate().condition();
    }

    @Override
    public void close() {
        delegate().close();
    }
}
