package io.taskmaster.testkit;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store that survives the close of its node, so that a restart finds its data in memory. Thread-safe. */
record RetainedStore(Store store) implements Store {

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        return store.write(writes);
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return store.putIfAbsent(key, value);
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return store.compareAndSet(key, expected, value);
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return store.read(keys);
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return store.scan(range, limit);
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return store.deleteRange(range);
    }

    @Override
    public void close() {
        // The next node continues with the store.
    }
}
