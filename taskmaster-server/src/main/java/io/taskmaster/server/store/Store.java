package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What TaskMaster needs of a Bigtable-style store: durable, atomic single rows, and nothing across rows (paper section 3.1).
 *
 * <p>All operations are asynchronous and unordered: two that are in flight together may land in either order. A future completes
 * with a {@link StoreException} when its operation failed; its outcome says whether it may have been applied. Futures complete on
 * threads of the store, so what hangs on them must be short or hop away. Thread-safe.
 *
 * <p>Log rows and the partition record (tables {@link Table#LOG} and {@link Table#META}, changed by {@link #putIfAbsent} and
 * {@link #compareAndSet}) carry no stamp: reads show them with stamp 0.0. All other cells are written by {@link #write}. A cell is
 * never changed in both ways. Values may be as large as {@link #MAX_VALUE_BYTES}; a store whose cells are smaller splits them.
 */
public interface Store extends AutoCloseable {

    /** Every row begins with its partition, unsigned, big-endian. */
    int PARTITION_PREFIX_BYTES = 2;

    /** The largest value of one cell: the data limit of a task and its headers, with room for our own framing. */
    int MAX_VALUE_BYTES = 17 << 20;

    /** The largest value of a cell that is compared: one that no store needs to split. */
    int MAX_COMPARED_BYTES = 1 << 20;

    /**
     * Applies the changes, cell by cell, in any order. A change whose stamp is older than the one that its cell holds has no effect, and
     * that is a success. Complete when everything is durable.
     *
     * <p>All changes of a row are applied at once if all put, or all delete; where a row has both, they go together, but a crash, or a
     * reader in between, may find one of the two done. Nobody may build on what a write that is not complete has done to a row: what it
     * changes is in memory until it is complete, and hides the row; and what an incomplete flush round left behind is not believed later,
     * but written again from the log.
     *
     * <p>Column 0 is the heart of its row: who deletes it means the row. Whatever else the row holds must be deleted by the same call, and
     * a store may delete all of the row at once, where stamps are not newer.
     */
    CompletableFuture<Void> write(List<CellWrite> writes);

    /**
     * As {@link #write}, but complete as soon as reads see the changes. They are durable after the next {@link #sync}; before that,
     * the process that staged them may lose them when it dies, each row or not, so that what a row held before is there again.
     *
     * <p>For much that is logged elsewhere: a store with a log of its own need not write it twice. One that gains nothing by
     * waiting makes it durable at once.
     */
    default CompletableFuture<Void> stage(List<CellWrite> writes) {
        return write(writes);
    }

    /** Makes durable everything that was staged through this store and complete before this call. Complete when it is. */
    default CompletableFuture<Void> sync() {
        return CompletableFuture.completedFuture(null);
    }

    /** Sets an unstamped cell if it is not there. True if this call set it. Complete when durable. */
    CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value);

    /**
     * Sets an unstamped cell if it holds {@code expected} (empty: if it is not there). True if it did. Complete when durable. Neither value
     * may be larger than {@link #MAX_COMPARED_BYTES}.
     */
    CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value);

    /** Reads cells: one result per key, in the order of the keys. */
    CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys);

    /** Reads the cells of a range in ascending order of row and column, rows whole, until a limit is reached. */
    CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit);

    /**
     * Deletes whole rows, whatever their stamps. Only for rows that nobody needs or writes any more (trimmed log, dead
     * generations); may be lazy, and what is deleted may be seen for a while.
     */
    CompletableFuture<Void> deleteRange(RowRange range);

    /**
     * The longest row that it can keep. What writes a longer one is refused, always; so nothing may be promised that would need one. A read
     * does not find it.
     */
    default int maxRowBytes() {
        return Integer.MAX_VALUE;
    }

    /** How much more it can take, as of a moment ago. Never blocks. */
    default Room room() {
        return Room.AMPLE;
    }

    /**
     * The store for one epoch of one partition. What was staged through a session is made durable through it or not at all: where a store has
     * to be opened anew, all its sessions fail from then on, and the epochs that had them end.
     */
    default Store session() {
        return this;
    }

    /** Complete, with the reason, once every operation fails from now on: whoever needs the store has to get another one. */
    default CompletableFuture<RuntimeException> broken() {
        return new CompletableFuture<>();
    }

    /** How it is, as of a moment ago. Never blocks. */
    default StoreCondition condition() {
        return StoreCondition.OPEN;
    }

    /** Releases everything; operations in flight complete first or fail. Idempotent; blocks. */
    @Override
    void close();
}
