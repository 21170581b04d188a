package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Insistence;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.UnknownLayoutException;
import io.taskmaster.server.store.hbase.traffic.Flights;
import io.taskmaster.server.store.hbase.traffic.Lanes;
import io.taskmaster.server.store.hbase.traffic.Turnstile;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store in the tables of HBase, or of Cloud Bigtable through the same API ({@link Dialect}). Thread-safe.
 *
 * <p>Every operation is bounded twice before it reaches the client. {@link Flights} bound what is in flight or waiting
 * here, by bytes for changes and by rows for reads, and refuse what is beyond. Then conditional changes and reads wait
 * for one of the permits of a {@link Turnstile}, range deletions for one of their own, and plain changes gather into
 * batches ({@link Gatherings}). All limits are divided by {@link Lanes}.
 *
 * <p>An operation that may have been applied is never retried here: a call without an answer has an unknown outcome,
 * and the caller reads back, or ends its epoch. Futures complete on threads of the client.
 *
 * <p>There is no {@link #stage}: a batch is durable when it is written.
 */
public final class HBaseStore implements Store {

    private final Dialect dialect;
    private final Connections connections;
    private final Duration patience;
    private final Flights writing;
    private final Flights reading;
    private final Writes writes;
    private final Comparisons comparisons;
    private final Reads reads;
    private final Scans scans;
    private final Erasures erasures;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HBaseStore(Dialect dialect, Connections connections, TableSettings settings) {
        this.dialect = dialect;
        this.connections = connections;
        StoreLimits limits = settings.limits();
        patience = limits.callTimeout();
        Tables tables = new Tables(connections, settings);
        Lanes lanes = Lanes.of(settings.partitions(), settings.regions());
        writing = new Flights(
                "bytes",
                limits.inFlightBytes(),
                lanes.count(),
                failure -> Failures.ofWriting(dialect, "write", failure));
        reading = new Flights(
                "rows asked for",
                limits.inFlightRows(),
                lanes.count(),
                failure -> Failures.ofReading(dialect, "read", failure));
        writes = new Writes(dialect, tables, writing, lanes, limits);
        comparisons =
                new Comparisons(dialect, tables, writing, lanes, new Turnstile(limits.callsInFlight(), lanes.count()));
        Turnstile turnstile = new Turnstile(limits.callsInFlight(), lanes.count());
        reads = new Reads(dialect, tables, reading, lanes, turnstile);
        scans = new Scans(dialect, tables, reading, lanes, turnstile);
        erasures = new Erasures(dialect, tables, writing, lanes);
    }

    /**
     * Connects to HBase, and creates missing tables. Blocks.
     *
     * @throws UnknownLayoutException if an existing table is not TaskMaster's, or of a layout that this version does
     *     not know
     * @throws StoreException if HBase does not answer, or denies access
     */
    public static HBaseStore open(HBaseSettings settings) {
        return open(new HBaseDialect(settings), settings);
    }

    /**
     * Connects to Cloud Bigtable, and creates missing tables. Blocks.
     *
     * @throws UnknownLayoutException if an existing table is not TaskMaster's, or of a layout that this version does
     *     not know
     * @throws StoreException if Google's client is missing, or Bigtable does not answer, or denies access
     */
    public static HBaseStore open(BigtableSettings settings) {
        return open(new BigtableDialect(settings), settings);
    }

    private static HBaseStore open(Dialect dialect, TableSettings settings) {
        StoreLimits limits = settings.limits();
        Duration patience = limits.startTimeout();
        Connections connections = Connections.open(dialect, patience);
        try {
            Layout layout = new Layout(dialect, connections.reading().getAdmin(), settings);
            Connections.await(dialect, layout.settle(), patience);
            HBaseStore store = new HBaseStore(dialect, connections, settings);
            Connections.await(
                    dialect,
                    Insistence.on(() -> LayoutVersion.settle(store), patience),
                    patience.plus(limits.callTimeout()).plus(limits.readTimeout()));
            return store;
        } catch (RuntimeException failure) {
            close(connections, failure);
            throw failure;
        }
    }

    private static void close(Connections connections, RuntimeException reported) {
        try {
            connections.close();
        } catch (IOException failure) {
            reported.addSuppressed(failure);
        }
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> cells) {
        return writes.write(cells);
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return comparisons.putIfAbsent(key, value);
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return comparisons.compareAndSet(key, expected, value);
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return reads.read(keys);
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return scans.scan(range, limit);
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return erasures.delete(range);
    }

    @Override
    public int maxRowBytes() {
        return dialect.bounds().maxRowBytes();
    }

    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        writing.close(patience);
        reading.close(patience);
        try {
            connections.close();
        } catch (IOException failure) {
            throw new StoreException(
                    Outcome.UNKNOWN, dialect.name() + ": not closed cleanly: " + failure.getMessage(), failure);
        }
    }
}
