package io.taskmaster.server.store.rocksdb;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An operation in the write queue. Immutable, but for the future that it completes. */
sealed interface WriteOperation {

    /** The approximate number of bytes that it adds to a batch. */
    long bytes();

    /** Fails the operation. Called at most once, and then instead of its success. */
    void fail(RuntimeException failure);

    /** Returns whether the operation is durable when it is done. If not, it is durable after the next sync. */
    default boolean isLogged() {
        return true;
    }

    /** A piece of a write of stamped cells. All changes of a row that came together are in one piece. */
    record Cells(List<CellWrite> writes, long bytes, ChunkedWrite chunkedWrite) implements WriteOperation {

        @Override
        public boolean isLogged() {
            return chunkedWrite.areLogged();
        }

        @Override
        public void fail(RuntimeException failure) {
            chunkedWrite.fail(failure);
        }
    }

    /**
     * A conditional put of an unstamped cell: set if it holds the expected value; if none is expected, set if it is
     * absent.
     */
    record CompareAndSet(CellKey key, Optional<Bytes> expected, Bytes value, CompletableFuture<Boolean> done)
            implements WriteOperation {

        @Override
        public long bytes() {
            return (long) key.row().size() + value.size();
        }

        @Override
        public void fail(RuntimeException failure) {
            done.completeExceptionally(failure);
        }
    }

    /** A deletion of a range of rows. */
    record DeleteRange(RowRange range, CompletableFuture<Void> done) implements WriteOperation {

        @Override
        public long bytes() {
            return (long) range.from().size() + range.to().size();
        }

        @Override
        public void fail(RuntimeException failure) {
            done.completeExceptionally(failure);
        }
    }
}
