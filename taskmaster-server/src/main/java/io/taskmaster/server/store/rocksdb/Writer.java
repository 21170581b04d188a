package io.taskmaster.server.store.rocksdb;

import io.taskmaster.model.Bytes;
import io.taskmaster.proxy.heap.OutOfMemory;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.rocksdb.encoding.BatchBuilder;
import io.taskmaster.server.store.rocksdb.encoding.ColumnFamily;
import io.taskmaster.server.store.rocksdb.encoding.KeyCodec;
import io.taskmaster.server.store.rocksdb.encoding.NewestStamps;
import io.taskmaster.server.store.rocksdb.encoding.ValueCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * The single writing thread. It takes all waiting operations, of all partitions, and makes one synced batch of them
 * (group commit); what arrives meanwhile makes the next one. No other thread writes, so a condition that it checks
 * against the database and the batch being built still holds when the batch lands: that makes put-if-absent and
 * compare-and-set atomic.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>After a batch that RocksDB failed to write, nothing is written any more ({@link FailureLatch}).
 *   <li>Staged changes go to the memtables in a batch of their own, without the write-ahead log; {@link Flusher} makes
 *       them durable.
 *   <li>Futures complete on another thread, in order, so that the next batch starts at once.
 *   <li>Stamped cells are written blindly while their stamps are in order ({@link NewestStamps}). Writes that are out
 *       of order get a batch of their own: everything before them is then in the database, where they are compared with
 *       it.
 *   <li>Every operation taken is completed exactly once: with its success, or failed with the batch or while it was
 *       prepared.
 * </ul>
 *
 * <p>Single-threaded: owned by the writer thread.
 */
final class Writer implements Runnable {

    /** The target of a read of which only the presence matters. */
    private static final byte[] EMPTY = {};

    private final WriteQueue queue;
    private final Database database;
    private final DurabilityMarker durabilityMarker;
    private final DiskSpace space;
    private final FailureLatch failureLatch;
    private final NewestStamps stamps;
    private final Executor replies;
    private final BatchBuilder batch = new BatchBuilder();
    private final WriteOptions synced = new WriteOptions().setSync(true);

    /** The unstamped cells that the batch being built sets. Conditions are checked against these first. */
    private final Map<CellKey, Bytes> setInBatch = new HashMap<>();

    private final List<Pending> pending = new ArrayList<>();

    /** An operation in the batch being built, and its completion when the batch has landed. */
    private record Pending(WriteOperation operation, Runnable success) {}

    Writer(
            WriteQueue queue,
            Database database,
            DurabilityMarker durabilityMarker,
            DiskSpace space,
            FailureLatch failureLatch,
            NewestStamps stamps,
            Executor replies) {
        this.queue = queue;
        this.database = database;
        this.durabilityMarker = durabilityMarker;
        this.space = space;
        this.failureLatch = failureLatch;
        this.stamps = stamps;
        this.replies = replies;
    }

    @Override
    public void run() {
        List<WriteOperation> taken = new ArrayList<>();
        try (synced;
                WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
                ReadOptions reads = new ReadOptions();
                batch) {
            while (queue.take(taken)) {
                // Staged changes have no waiter, but they go to memory only, so the synced ones wait no longer for it.
                addAll(taken, false, unlogged, reads);
                addAll(taken, true, synced, reads);
                taken.clear();
            }
        }
    }

    private void addAll(List<WriteOperation> taken, boolean logged, WriteOptions options, ReadOptions reads) {
        for (WriteOperation operation : taken) {
            if (operation.isLogged() == logged) {
                add(operation, options, reads);
            }
        }
        writeBatch(options);
    }

    private void add(WriteOperation operation, WriteOptions options, ReadOptions reads) {
        try {
            switch (operation) {
                case WriteOperation.CompareAndSet change -> addCompareAndSet(change, reads);
                case WriteOperation.DeleteRange deletion -> addDeleteRange(deletion);
                case WriteOperation.Cells cells -> {
                    if (stamps.advance(cells.writes())) {
                        addWrites(cells.writes());
                        pending.add(new Pending(cells, cells.chunkedWrite()::pieceWritten));
                    } else {
                        // What is gathered lands first: the comparison reads the database and would not see the batch.
                        writeBatch(options);
                        addCompared(cells, reads);
                        writeBatch(options);
                    }
                }
            }
        } catch (RocksDBException | RuntimeException | OutOfMemoryError failure) {
            OutOfMemory.notice(failure);
            StoreException reported = unprepared(operation, failure);
            replies.execute(() -> operation.fail(reported));
        }
    }

    /**
     * Translates a failure before the batch was written. Of a write, other pieces may have landed; of any other
     * operation, nothing was done but reads.
     */
    private StoreException unprepared(WriteOperation operation, Throwable failure) {
        String tried = "write, while it was prepared";
        return operation instanceof WriteOperation.Cells
                ? database.rocksDbFailures().of(Outcome.UNKNOWN, tried, failure)
                : database.rocksDbFailures().ofReading(tried, failure);
    }

    private void addCompareAndSet(WriteOperation.CompareAndSet change, ReadOptions reads) throws RocksDBException {
        boolean matches = matches(change, reads);
        if (matches) {
            CellKey key = change.key();
            batch.putCell(database.family(key.table()), key.row(), key.column(), Stamp.NONE, change.value());
            setInBatch.put(key, change.value());
        }
        pending.add(new Pending(change, () -> change.done().complete(matches)));
    }

    private boolean matches(WriteOperation.CompareAndSet change, ReadOptions reads) throws RocksDBException {
        // The batch is not in the database yet, so its own changes come first.
        Bytes set = setInBatch.get(change.key());
        if (set != null) {
            return change.expected().equals(Optional.of(set));
        }
        RocksDB db = database.db();
        byte[] key = KeyCodec.key(change.key());
        if (change.expected().isEmpty()) {
            return db.get(database.family(change.key().table()).handle(), reads, key, EMPTY) == RocksDB.NOT_FOUND;
        }
        byte @Nullable [] held = db.get(database.family(change.key().table()).handle(), reads, key);
        return held != null && change.expected().get().equals(ValueCodec.value(held, ValueCodec.stamp(held)));
    }

    private void addDeleteRange(WriteOperation.DeleteRange deletion) throws RocksDBException {
        byte[] from = KeyCodec.bound(deletion.range().from());
        byte[] to = KeyCodec.bound(deletion.range().to());
        if (deletion.range().from().compareTo(deletion.range().to()) < 0) {
            batch.deleteRange(database.family(deletion.range().table()), from, to);
        }
        pending.add(new Pending(deletion, () -> deletion.done().complete(null)));
    }

    private void addWrites(List<CellWrite> writes) throws RocksDBException {
        for (CellWrite write : writes) {
            CellKey key = write.key();
            ColumnFamily columnFamily = database.family(key.table());
            switch (write) {
                case CellWrite.Put put ->
                    batch.putCell(columnFamily, key.row(), key.column(), put.stamp(), put.value());
                case CellWrite.Delete _ -> batch.deleteCell(columnFamily, key.row(), key.column());
            }
        }
    }

    /** Adds the changes that are not older than their cells to an empty batch. */
    private void addCompared(WriteOperation.Cells cells, ReadOptions reads) throws RocksDBException {
        Map<CellKey, Stamp> changed = new HashMap<>();
        List<CellWrite> effective = new ArrayList<>();
        for (CellWrite write : cells.writes()) {
            CellKey key = write.key();
            Stamp held = changed.get(key);
            if (held == null) {
                byte @Nullable [] stored =
                        database.db().get(database.family(key.table()).handle(), reads, KeyCodec.key(key));
                held = stored == null ? Stamp.NONE : ValueCodec.stamp(stored);
            }
            if (write.stamp().compareTo(held) >= 0) {
                effective.add(write);
                // A deletion leaves no stamp behind, as in the database.
                changed.put(key, write instanceof CellWrite.Put ? write.stamp() : Stamp.NONE);
            }
        }
        addWrites(effective);
        pending.add(new Pending(cells, cells.chunkedWrite()::pieceWritten));
    }

    /** Writes the batch being built and begins a new one. */
    private void writeBatch(WriteOptions options) {
        if (pending.isEmpty()) {
            return;
        }
        List<Pending> written = List.copyOf(pending);
        Runnable reply;
        try {
            // After a failed batch it is unknown what the files hold, so no other batch may follow on it.
            failureLatch.requireNone();
            space.requireFree();
            write(options);
            reply = () -> written.forEach(done -> done.success().run());
        } catch (StoreException refused) {
            reply = () -> written.forEach(failed -> failed.operation().fail(refused));
        } catch (RocksDBException | RuntimeException | OutOfMemoryError failure) {
            OutOfMemory.notice(failure);
            space.failed(failure);
            StoreException unknown = database.rocksDbFailures().of(Outcome.UNKNOWN, "write", failure);
            failureLatch.failed(failure, unknown);
            reply = () -> written.forEach(failed -> failed.operation().fail(unknown));
        }
        pending.clear();
        setInBatch.clear();
        batch.clear();
        replies.execute(reply);
    }

    private void write(WriteOptions options) throws RocksDBException {
        if (batch.isEmpty()) {
            return;
        }
        if (stamps.hasUnstored()) {
            // Cells must not outlive the record of their epoch, so this batch is logged in any case.
            stamps.addUnstored(batch, database.epochs());
            database.db().write(synced, batch.nativeBatch());
            stamps.committed();
            durabilityMarker.noteSequence(database.db().getLatestSequenceNumber());
        } else {
            database.db().write(options, batch.nativeBatch());
            if (options.sync()) {
                durabilityMarker.noteSequence(database.db().getLatestSequenceNumber());
            }
        }
    }
}
