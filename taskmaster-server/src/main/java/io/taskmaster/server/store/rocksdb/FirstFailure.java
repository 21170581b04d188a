package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.concurrent.CompletableFuture;
import org.rocksdb.RocksDBException;

/**
 * The first write, flush or sync of an open database that failed, which is the last one it is used for. Thread-safe.
 *
 * <p>After a failed sync the kernel may have dropped the pages that it could not write and called them clean, so that the next sync of the same
 * file succeeds without them. Whether RocksDB goes on after an error depends on which and where; we do not: nothing is written to this handle
 * any more, whatever it would say, and what it holds is read again from the files.
 */
final class FirstFailure {

    private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();

    /** Takes note of a failure, as it is reported. Damage is none of the handle's: opening it anew would find the same. */
    void failed(Throwable failure, StoreException reported) {
        if (failure instanceof RocksDBException && reported.outcome() != Outcome.CORRUPT) {
            broken.complete(reported);
        }
    }

    /**
     * Called before each write.
     *
     * @throws StoreException with {@link Outcome#UNKNOWN} after a failure: to try again is no use
     */
    void requireNone() {
        RuntimeException first = broken.getNow(null);
        if (first != null) {
            throw new StoreException(Outcome.UNKNOWN, "store: failed before: " + first.getMessage(), first);
        }
    }

    boolean happened() {
        return broken.isDone();
    }

    /** What it was; empty while there is none. */
    String why() {
        RuntimeException first = broken.getNow(null);
        return first == null ? "" : String.valueOf(first.getMessage());
    }

    /** Complete, with the failure, once there is one. */
    CompletableFuture<RuntimeException> future() {
        return broken.copy();
    }
}
