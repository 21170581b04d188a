package io.taskmaster.server.overload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.ForwardingStore;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A store behind a line of limited bandwidth, as on a slow disk. Changes pass the line in FIFO order, whichever
 * partition sends them, and reach the store when their last byte is through. Reads do not pass the line. Thread-safe;
 * nothing blocks but {@link #close}.
 *
 * <p>The line is unbounded: it is up to the sender to keep it short, and that is what the test checks.
 */
final class ThrottledStore extends ForwardingStore {

    /** The approximate size of stamp, column, table and framing of a cell. */
    static final int CELL_OVERHEAD_BYTES = 32;

    /** A change in the line, and the time when it is through. */
    private record Sent(CompletableFuture<Void> through, long throughNanos) {}

    private final Store store;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Bandwidth bandwidth;

    @GuardedBy("lock")
    private final Queue<Sent> line = new ArrayDeque<>();

    @GuardedBy("lock")
    private long lastThroughNanos;

    @GuardedBy("lock")
    private boolean closed;

    ThrottledStore(Store store, long bytesPerSecond) {
        this.store = store;
        this.lastThroughNanos = System.nanoTime();
        this.bandwidth = new Bandwidth(bytesPerSecond, lastThroughNanos);
        this.thread = Thread.ofPlatform().name("throttle").daemon().start(this::run);
    }

    /** Returns the time that a change sent now would wait. */
    long backlogNanos() {
        lock.lock();
        try {
            return Math.max(0, lastThroughNanos - System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected Store delegate() {
        return store;
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        return after(bytes(writes), () -> store.write(writes));
    }

    /** Costs as much as a write: the bytes go to the disk sooner or later. */
    @Override
    public CompletableFuture<Void> stage(List<CellWrite> writes) {
        return after(bytes(writes), () -> store.stage(writes));
    }

    @Override
    public CompletableFuture<Void> sync() {
        return after(0, store::sync);
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return after(bytes(key, value), () -> store.putIfAbsent(key, value));
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return after(bytes(key, value), () -> store.compareAndSet(key, expected, value));
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return after(range.from().size() + range.to().size() + CELL_OVERHEAD_BYTES, () -> store.deleteRange(range));
    }

    private static long bytes(List<CellWrite> writes) {
        long bytes = 0;
        for (CellWrite write : writes) {
            bytes += switch (write) {
                case CellWrite.Put put -> bytes(put.key(), put.value());
                case CellWrite.Delete delete -> bytes(delete.key(), Bytes.EMPTY);
            };
        }
        return bytes;
    }

    private static long bytes(CellKey key, Bytes value) {
        return (long) key.row().size() + value.size() + CELL_OVERHEAD_BYTES;
    }

    private <T> CompletableFuture<T> after(long bytes, Supplier<CompletableFuture<T>> operation) {
        return send(bytes).thenCompose(_ -> operation.get());
    }

    private CompletableFuture<Void> send(long bytes) {
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(new StoreException(Outcome.REFUSED, "store: closed", null));
            }
            lastThroughNanos = bandwidth.take(bytes, System.nanoTime());
            Sent sent = new Sent(new CompletableFuture<>(), lastThroughNanos);
            line.add(sent);
            changed.signal();
            return sent.through;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (Optional<Sent> next = awaitNext(); next.isPresent(); next = awaitNext()) {
                next.get().through.complete(null);
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError("nobody interrupts this thread", interrupted);
        }
    }

    /**
     * Waits until the first change in the line is through, and removes it. Returns empty once the line is closed and
     * empty.
     */
    private Optional<Sent> awaitNext() throws InterruptedException {
        lock.lock();
        try {
            while (!closed || !line.isEmpty()) {
                Sent first = line.peek();
                long remainingNanos = first == null ? Long.MAX_VALUE : first.throughNanos - System.nanoTime();
                if (remainingNanos <= 0) {
                    return Optional.of(line.remove());
                }
                long _ = changed.awaitNanos(remainingNanos);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }
}
