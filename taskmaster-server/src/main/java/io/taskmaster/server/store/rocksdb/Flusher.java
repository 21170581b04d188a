package io.taskmaster.server.store.rocksdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;

/**
 * The part of the store that makes staged changes durable, by writing out the memtables. Syncs requested while a flush
 * runs share the next one. Most of a large round is written out while more of it is staged, since it fills several
 * memtables; a flush writes only the last of them. Thread-safe.
 */
final class Flusher {

    private final Database database;
    private final DurabilityMarker durabilityMarker;
    private final DiskSpace space;
    private final FailureLatch failureLatch;
    private final List<ColumnFamilyHandle> families;
    private final Executor thread;
    private final Executor replies;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable CompletableFuture<Void> next;

    /**
     * Creates a flusher.
     *
     * @param families column families whose cells may be staged
     * @param thread runs the flushes, which block
     * @param replies completes the futures
     */
    Flusher(
            Database database,
            DurabilityMarker durabilityMarker,
            DiskSpace space,
            FailureLatch failureLatch,
            List<ColumnFamilyHandle> families,
            Executor thread,
            Executor replies) {
        this.database = database;
        this.durabilityMarker = durabilityMarker;
        this.space = space;
        this.failureLatch = failureLatch;
        this.families = families;
        this.thread = thread;
        this.replies = replies;
    }

    /** Completes when everything is durable that has landed before this call. */
    CompletableFuture<Void> sync() {
        lock.lock();
        try {
            if (next == null) {
                // Before the future is set: if the thread is closed, no later call may wait for a flush that never
                // comes. The flush takes the future under this lock, so it cannot miss it.
                thread.execute(this::flush);
                next = new CompletableFuture<>();
            }
            return next;
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.failedFuture(new StoreException(Outcome.REFUSED, "store: closed", closed));
        } finally {
            lock.unlock();
        }
    }

    private void flush() {
        // Taken before the flush begins: a sync requested from now on may be for changes that this flush does not see.
        CompletableFuture<Void> done = takeNext();
        try {
            failureLatch.requireNone();
            database.flush(families, space);
            durabilityMarker.noteManifest();
            replies.execute(() -> done.complete(null));
        } catch (StoreException refused) {
            replies.execute(() -> done.completeExceptionally(refused));
        } catch (RocksDBException | RuntimeException failure) {
            space.failed(failure);
            StoreException unknown = database.rocksDbFailures().of(Outcome.UNKNOWN, "flush", failure);
            failureLatch.failed(failure, unknown);
            replies.execute(() -> done.completeExceptionally(unknown));
        }
    }

    private CompletableFuture<Void> takeNext() {
        lock.lock();
        try {
            CompletableFuture<Void> taken = next;
            if (taken == null) {
                throw new IllegalStateException("flush: nobody asked for it");
            }
            next = null;
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
