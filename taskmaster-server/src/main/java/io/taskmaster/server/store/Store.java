package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The storage SPI: what TaskMaster requires of a Bigtable-style store. Durable, atomic single rows, and nothing across
 * rows (paper section 3.1).
 *
 * <p>All operations are asynchronous and unordered: two that are in flight together may land in either order. A future
 * completes with a {@link StoreException} when its operation failed; the outcome says whether the operation may have
 * been applied. Futures complete on threads of the store, so dependent stages must be short or move to another thread.
 * Thread-safe.
 *
 * <p>Log rows and the partition record (tables {@link Table#LOG} and {@link Table#META}, changed by
 * {@link #putIfAbsent} and {@link #compareAndSet}) carry no stamp: reads return them with stamp 0.0. All other cells
 * are written by {@link #write}. A cell is never changed in both ways. Values may be as large as
 * {@link #MAX_VALUE_BYTES}; a store whose cells are smaller splits them.
 */
public interface Store extends AutoCloseable {

    /** The length of the partition prefix of every row: unsigned, big-endian. */
    int PARTITION_PREFIX_BYTES = 2;

    /**
     * The largest value of one cell: the data limit of a task and its headers, with a margin for TaskMaster's own
     * framing.
     */
    int MAX_VALUE_BYTES = 17 << 20;

    /** The largest value of a cell that is compared: small enough that no store needs to split it. */
    int MAX_COMPARED_BYTES = 1 << 20;

    /**
     * Applies the changes, cell by cell, in any order. A change whose stamp is older than the one its cell holds has no
     * effect, and that is a success. Completes when everything is durable.
     *
     * <p>The changes of a row are applied atomically if all of them put, or all delete. Where a row has both, they go
     * together, but after a crash, or for a concurrent reader, only one of the two may have happened. No caller may
     * rely on what an incomplete write has done to a row: the partition holds the changes in memory until the write is
     * complete, and they hide the row. What an incomplete flush round left behind is not believed later, but rewritten
     * from the log.
     *
     * <p>Column 0 stands for its row: deleting it means deleting the row. The other cells of the row must be deleted by
     * the same call, and a store may delete the whole row at once, except cells with newer stamps.
     */
    CompletableFuture<Void> write(List<CellWrite> writes);

    /**
     * As {@link #write}, but completes as soon as reads see the changes. They are durable after the next {@link #sync}.
     * If the process that staged them dies before that, it may lose them, row by row, so that a row again holds what it
     * held before.
     *
     * <p>Intended for bulk changes that are logged elsewhere: a store with a write-ahead log of its own need not log
     * them twice. A store that gains nothing by deferring makes them durable at once.
     */
    default CompletableFuture<Void> stage(List<CellWrite> writes) {
        return write(writes);
    }

    /**
     * Makes durable all changes that were staged through this store and were complete before this call. Completes when
     * they are durable.
     */
    default CompletableFuture<Void> sync() {
        return CompletableFuture.completedFuture(null);
    }

    /** Sets an unstamped cell if it is absent. Returns true if this call set it. Completes when durable. */
    CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value);

    /**
     * Sets an unstamped cell if it holds {@code expected} (empty: if it is absent). Returns true if it did. Completes
     * when durable. Neither value may be larger than {@link #MAX_COMPARED_BYTES}.
     */
    CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value);

    /** Reads cells. Returns one result per key, in the order of the keys. */
    CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys);

    /** Reads the cells of a range in ascending order of row and column, in whole rows, until a limit is reached. */
    CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit);

    /**
     * Deletes whole rows, whatever their stamps. Only for rows that no owner needs or writes any more (trimmed log,
     * dead generations). May be lazy: deleted rows may remain visible for a while.
     */
    CompletableFuture<Void> deleteRange(RowRange range);

    /**
     * Returns the length of the longest row key that the store accepts, in bytes. Writes to a longer one are always
     * refused, so the caller must not acknowledge anything that would need one. Reads do not find such a row.
     */
    default int maxRowBytes() {
        return Integer.MAX_VALUE;
    }

    /** Returns the capacity left, as of a moment ago. Never blocks. */
    default FreeSpace freeSpace() {
        return FreeSpace.AMPLE;
    }

    /**
     * Returns the store for one epoch of one partition. Changes staged through a session are made durable through it or
     * not at all: when a store has to be reopened, all its sessions fail from then on, and their epochs end.
     */
    default Store session() {
        return this;
    }

    /**
     * Returns a future that completes, with the reason, once every operation fails from now on. Users of the store then
     * have to get another one.
     */
    default CompletableFuture<RuntimeException> broken() {
        return new CompletableFuture<>();
    }

    /** Returns the state of the store, as of a moment ago. Never blocks. */
    default StoreCondition condition() {
        return StoreCondition.OPEN;
    }

    /** Releases all resources. Operations in flight complete first or fail. Idempotent; blocks. */
    @Override
    void close();
}
