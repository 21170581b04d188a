package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.concurrent.CompletableFuture;
import org.rocksdb.RocksDBException;

/**
 * The first failed write, flush or sync of an open database. It is the last one on that handle (ADR 12). Thread-safe.
 *
 * <p>After a failed sync the kernel may have dropped the pages that it could not write and marked them clean, so that
 * the next sync of the same file succeeds without them. Whether RocksDB goes on after an error depends on the error;
 * TaskMaster does not rely on it. Nothing is written to this handle any more, whatever RocksDB would accept, and its
 * contents are read again from the files by the next handle.
 *
 * <p>A latch: once failed, it stays failed.
 */
final class FailureLatch {

    private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();

    /** Notes a failure as it is reported. A corruption does not count: the next handle would find it again. */
    void failed(Throwable failure, StoreException reported) {
        if (failure instanceof RocksDBException && reported.outcome() != Outcome.CORRUPT) {
            broken.complete(reported);
        }
    }

    /**
     * Checks that there was no failure. Called before each write.
     *
     * @throws StoreException with {@link Outcome#UNKNOWN} after a failure, since a retry is of no use
     */
    void requireNone() {
        RuntimeException first = broken.getNow(null);
        if (first != null) {
            throw new StoreException(Outcome.UNKNOWN, "store: failed earlier: " + first.getMessage(), first);
        }
    }

    boolean hasFailed() {
        return broken.isDone();
    }

    /** Returns the message of the failure; empty while there is none. */
    String reason() {
        RuntimeException first = broken.getNow(null);
        return first == null ? "" : String.valueOf(first.getMessage());
    }

    /** Returns a future that completes with the failure once there is one. */
    CompletableFuture<RuntimeException> future() {
        return broken.copy();
    }
}
