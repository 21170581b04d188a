package io.taskmaster.server.partition.claim;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store in memory that a test can make unreachable: operations then fail, performed or not. */
public final class UnsureStore implements Store {

    private final MemoryStore store = new MemoryStore();
    private boolean reachable = true;
    private boolean doneAllTheSame;
    private Optional<Bytes> late = Optional.empty();

    /**
     * Cuts the store off: from now on changes have unknown outcomes, and reads fail.
     *
     * @param changesAreDone true if the changes are performed nevertheless
     */
    public void cutOff(boolean changesAreDone) {
        reachable = false;
        doneAllTheSame = changesAreDone;
    }

    /** Keeps a change of another node in flight; it lands just before the next change. */
    void arriveLate(Bytes value) {
        late = Optional.of(value);
    }

    void heal() {
        reachable = true;
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        if (late.isPresent()) {
            Bytes first = late.get();
            late = Optional.empty();
            var _ = store.compareAndSet(key, expected, first);
        }
        if (reachable) {
            return store.compareAndSet(key, expected, value);
        }
        if (doneAllTheSame) {
            var _ = store.compareAndSet(key, expected, value);
        }
        return failed();
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return reachable ? store.read(keys) : failed();
    }

    private static <T> CompletableFuture<T> failed() {
        return CompletableFuture.failedFuture(new StoreException(Outcome.UNKNOWN, "cut off", null));
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        throw new UnsupportedOperationException("a claim is compared");
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        throw new UnsupportedOperationException("a claim is compared");
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        throw new UnsupportedOperationException("a claim is one cell");
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        throw new UnsupportedOperationException("a claim stays");
    }

    @Override
    public void close() {
        store.close();
    }
}
