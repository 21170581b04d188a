package io.taskmaster.server.store.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reference store: a sorted map in memory, lost when it is closed. Thread-safe.
 *
 * <p>An operation is one task on the executor, which applies it and completes its future. On the calling thread (the
 * default) it is done when the call returns. On an executor that a test drives by hand, the test decides when and in
 * which order operations land.
 */
public final class MemoryStore implements Store {

    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final SortedCells cells = new SortedCells();

    @GuardedBy("lock")
    private boolean closed;

    /** Creates a store that runs operations on the calling thread. */
    public MemoryStore() {
        this(Runnable::run);
    }

    /** Creates a store that runs operations on an executor, one task per operation. */
    public MemoryStore(Executor executor) {
        this.executor = executor;
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        List<CellWrite> copy = List.copyOf(writes);
        return change(held -> held.write(copy));
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return compareAndSet(key, Optional.empty(), value);
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return submit(held -> held.compareAndSet(key, expected, value));
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        List<CellKey> copy = List.copyOf(keys);
        return submit(held -> held.read(copy));
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return submit(held -> held.scan(range, limit));
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return change(held -> held.deleteRange(range));
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            cells.clear();
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<Void> change(Consumer<SortedCells> operation) {
        return submit(held -> {
            operation.accept(held);
            return null;
        });
    }

    private <T> CompletableFuture<T> submit(Function<SortedCells, @Nullable T> operation) {
        CompletableFuture<T> future = new CompletableFuture<>();
        executor.execute(() -> {
            @Nullable T result;
            try {
                result = locked(operation);
            } catch (RuntimeException failure) {
                future.completeExceptionally(failure);
                return;
            }
            future.complete(result);
        });
        return future;
    }

    private <T> @Nullable T locked(Function<SortedCells, @Nullable T> operation) {
        lock.lock();
        try {
            if (closed) {
                throw new StoreException(Outcome.REFUSED, "store: closed", null);
            }
            return operation.apply(cells);
        } finally {
            lock.unlock();
        }
    }
}
