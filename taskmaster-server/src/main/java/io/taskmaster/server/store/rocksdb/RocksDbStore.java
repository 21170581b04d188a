package io.taskmaster.server.store.rocksdb;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.FreeSpace;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreCondition;
import io.taskmaster.server.store.StoreCondition.State;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.server.store.UnknownLayoutException;
import io.taskmaster.server.store.rocksdb.encoding.CorruptCellException;
import io.taskmaster.server.store.rocksdb.encoding.NewestStamps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The embedded store: RocksDB in a folder of its own. Thread-safe.
 *
 * <p>Threads: one writes ({@link Writer}), a few read ({@link Reader}), one flushes ({@link Flusher}), one completes
 * the futures of writes, and one does the {@link Maintenance}. Operations never block the caller; beyond the limits of
 * {@link RocksDbSettings} they are refused.
 *
 * <p>A write that RocksDB reports as failed has an unknown outcome, and is the last one: the store is {@link #broken},
 * and has to be closed and reopened ({@link FailureLatch}, ADR 12). What is durable is recorded beside RocksDB's files
 * and checked when they are opened ({@link DurabilityMarker}).
 *
 * <pre>
 * putIfAbsent, compareAndSet --> WriteQueue, log lane  --\
 * write, stage, deleteRange ---> WriteQueue, bulk lane ---> Writer --> one batch, synced or staged --> replies
 * sync --------------------------------------------------> Flusher --> memtables written out ------> replies
 * read, scan --------------------------------------------> reader threads
 * </pre>
 */
public final class RocksDbStore implements Store {

    private final DataFolder folder;
    private final Database database;
    private final DurabilityMarker durabilityMarker;
    private final DiskSpace space;
    private final FailureLatch failureLatch = new FailureLatch();
    private final Reader reader;
    private final WriteQueue queue;
    private final Flusher flusher;
    private final StoreThreads threads;
    private final int pieceBytes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RocksDbStore(
            DataFolder folder,
            Database database,
            DurabilityMarker durabilityMarker,
            NewestStamps stamps,
            DiskSpace space,
            RocksDbSettings settings) {
        this.folder = folder;
        this.database = database;
        this.durabilityMarker = durabilityMarker;
        this.space = space;
        reader = new Reader(database);
        queue = new WriteQueue(settings);
        // Halves of a batch pack well: a piece of the full size would leave the remainder of its write to a batch of
        // its own.
        pieceBytes = settings.bulkBatchBytes() / 2;
        threads = new StoreThreads(settings, database);
        flusher = new Flusher(
                database,
                durabilityMarker,
                space,
                failureLatch,
                database.stageable(),
                threads.flusher(),
                threads.replies());
        threads.startWriter(
                new Writer(queue, database, durabilityMarker, space, failureLatch, stamps, threads.replies()));
        threads.startMaintenance(new Maintenance(database, durabilityMarker, space, failureLatch, threads.flusher()));
    }

    /**
     * Opens the store in a folder, which is created if it is missing. Blocks while the write-ahead log is read.
     *
     * @throws StoreInUseException if another store has the folder open
     * @throws UnknownLayoutException if the folder holds anything else, or a layout that this version does not know
     * @throws StoreException if its contents cannot be read
     */
    public static RocksDbStore open(Path path, RocksDbSettings settings) {
        return open(path, settings, 0, 0);
    }

    /**
     * Opens the store as {@link #open(Path, RocksDbSettings)} does.
     *
     * @param reserveBytes the free disk space below which {@link #freeSpace} is low
     * @param durable the sequence number that this process knows to be durable; a database that has not reached it is
     *     refused. 0: none
     */
    static RocksDbStore open(Path path, RocksDbSettings settings, long reserveBytes, long durable) {
        DataFolder folder;
        try {
            folder = DataFolder.open(path);
        } catch (IOException failure) {
            throw cannotOpen(path, failure);
        }
        Database database = null;
        DurabilityMarker durabilityMarker = null;
        try {
            NativeLibrary.load(folder.nativeLibraries());
            durabilityMarker = DurabilityMarker.open(folder.path(), folder.db());
            database = Database.open(folder.db(), settings);
            // In this order: the marker compares the manifest before RocksDB can change anything, and the sequence
            // number after RocksDB has replayed its log.
            durabilityMarker.confirm(database.db().getLatestSequenceNumber(), durable);
            NewestStamps stamps =
                    NewestStamps.load(database.db(), database.epochs().handle());
            DiskSpace space = new DiskSpace(folder.path(), reserveBytes);
            return new RocksDbStore(folder, database, durabilityMarker, stamps, space, settings);
        } catch (IOException
                | RocksDBException
                | StoreException
                | CorruptCellException
                | UnknownLayoutException failure) {
            StoreException reported = cannotOpen(path, failure);
            closeQuietly(database, reported);
            closeQuietly(durabilityMarker, reported);
            closeQuietly(folder, reported);
            if (failure instanceof UnknownLayoutException unknown) {
                throw unknown;
            }
            throw reported;
        }
    }

    private static StoreException cannotOpen(Path path, Exception failure) {
        if (failure instanceof StoreException known) {
            return known;
        }
        String free = DiskSpace.describe(path);
        String tried = "data folder: " + path + " (" + free + ") cannot be opened";
        return new RocksDbFailures(path.resolve(DataFolder.DB)).ofReading(tried, failure);
    }

    private static void closeQuietly(@Nullable AutoCloseable resource, Exception reported) {
        try (resource) {
            // The resource is only closed.
        } catch (Exception failure) {
            reported.addSuppressed(failure);
        }
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        return write(writes, true);
    }

    @Override
    public CompletableFuture<Void> stage(List<CellWrite> writes) {
        return write(writes, false);
    }

    @Override
    public CompletableFuture<Void> sync() {
        return flusher.sync();
    }

    private CompletableFuture<Void> write(List<CellWrite> writes, boolean logged) {
        writes.forEach(write -> requirePartition(write.key().row()));
        List<WriteOperation.Cells> pieces = ChunkedWrite.split(writes, pieceBytes, logged);
        queue.addBulk(pieces);
        return pieces.getFirst().chunkedWrite().done();
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return compareAndSet(key, Optional.empty(), value);
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        requirePartition(key.row());
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        queue.addLog(new WriteOperation.CompareAndSet(key, expected, value, done));
        return done;
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        keys.forEach(key -> requirePartition(key.row()));
        List<CellKey> copy = List.copyOf(keys);
        return threads.read(() -> reader.read(copy));
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return threads.read(() -> reader.scan(range, limit));
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        queue.addBulk(List.of(new WriteOperation.DeleteRange(range, done)));
        return done;
    }

    @Override
    public FreeSpace freeSpace() {
        return space.freeSpace();
    }

    @Override
    public CompletableFuture<RuntimeException> broken() {
        return failureLatch.future();
    }

    @Override
    public StoreCondition condition() {
        return new StoreCondition(
                failureLatch.hasFailed() ? State.LOST : State.OPEN, failureLatch.reason(), space.freeBytes(), 0);
    }

    /** The work of all scans so far. For tests, which compare it with the purpose of the scans. */
    public ScanStatistics scanStatistics() {
        return reader.statistics();
    }

    /** The sequence number up to which everything is durable. */
    long durableSequence() {
        return durabilityMarker.sequence();
    }

    private static void requirePartition(Bytes row) {
        if (row.size() < PARTITION_PREFIX_BYTES) {
            throw new IllegalArgumentException(
                    "row: " + row.size() + " bytes (expected: at least the partition, " + PARTITION_PREFIX_BYTES + ")");
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        queue.close();
        // The queue refuses new writes first; the threads then finish all that was accepted, so no future stays open.
        threads.stop();
        try (folder;
                durabilityMarker) {
            if (!failureLatch.hasFailed()) {
                durabilityMarker.noteManifest();
            }
            database.close();
        } catch (IOException | RocksDBException failure) {
            throw database.rocksDbFailures().of(Outcome.UNKNOWN, "store: not closed cleanly", failure);
        }
    }
}
