package io.taskmaster.server.store.rocksdb;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What waits to be written in one piece. Immutable, but for the future that it completes. */
sealed interface WriteOperation {

    /** About how many bytes it adds to a batch. */
    long bytes();

    /** Called once, instead of the success of its kind. */
    void fail(RuntimeException failure);

    /** Whether it is to be durable when it is done; if not, it is after the next sync. */
    default boolean isLogged() {
        return true;
    }

    /** Stamped cells; all of a row's changes that came together are in one piece. */
    record Cells(List<CellWrite> writes, long bytes, Pieces pieces) implements WriteOperation {

        @Override
        public boolean isLogged() {
            return pieces.areLogged();
        }

        @Override
        public void fail(RuntimeException failure) {
            pieces.fail(failure);
        }
    }

    /** An unstamped cell to be set if it holds what is expected; nothing expected: if it is not there. */
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

    /** A range of rows to be deleted. */
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
