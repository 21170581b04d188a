package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RetryUntilReady;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.UnknownLayoutException;
import io.taskmaster.server.store.hbase.settings.BigtableSettings;
import io.taskmaster.server.store.hbase.settings.HBaseSettings;
import io.taskmaster.server.store.hbase.settings.StoreLimits;
import io.taskmaster.server.store.hbase.settings.TableSettings;
import io.taskmaster.server.store.hbase.traffic.CallLanes;
import io.taskmaster.server.store.hbase.traffic.CallLimiter;
import io.taskmaster.server.store.hbase.traffic.CallsInFlight;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store in the tables of HBase, or of Cloud Bigtable through the same API ({@link Dialect}). Thread-safe.
 *
 * <p>Every operation is bounded twice before it reaches the client. {@link CallsInFlight} bound what is in flight or
 * waiting here, by bytes for changes and by rows for reads, and refuse what is beyond. Then conditional changes and
 * reads wait for one of the permits of a {@link CallLimiter}, range deletions for one of their own, and plain changes
 * gather into batches ({@link WriteBatcher}). All limits are divided by {@link CallLanes}.
 *
 * <p>An operation that may have been applied is never retried here: a call without an answer has an unknown outcome,
 * and the caller reads back, or ends its epoch. Futures complete on threads of the client.
 *
 * <p>There is no {@link #stage}: a batch is durable when it is written.
 */
public final class HBaseStore implements Store {

    private final Dialect dialect;
    private final HBaseConnections hBaseConnections;
    private final Duration callTimeout;
    private final CallsInFlight writing;
    private final CallsInFlight reading;
    private final Writes writes;
    private final ConditionalWrites conditionalWrites;
    private final HBaseReads hBaseReads;
    private final Scans scans;
    private final RangeDeletes rangeDeletes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HBaseStore(Dialect dialect, HBaseConnections hBaseConnections, TableSettings settings) {
        this.dialect = dialect;
        this.hBaseConnections = hBaseConnections;
        StoreLimits limits = settings.limits();
        callTimeout = limits.callTimeout();
        Tables tables = new Tables(hBaseConnections, settings);
        CallLanes callLanes = CallLanes.of(settings.partitions(), settings.regions());
        writing = new CallsInFlight(
                "bytes",
                limits.inFlightBytes(),
                callLanes.count(),
                failure -> HBaseFailures.ofWriting(dialect, "write", failure));
        reading = new CallsInFlight(
                "rows asked for",
                limits.inFlightRows(),
                callLanes.count(),
                failure -> HBaseFailures.ofReading(dialect, "read", failure));
        writes = new Writes(dialect, tables, writing, callLanes, limits);
        conditionalWrites = new ConditionalWrites(
                dialect, tables, writing, callLanes, new CallLimiter(limits.callsInFlight(), callLanes.count()));
        CallLimiter callLimiter = new CallLimiter(limits.callsInFlight(), callLanes.count());
        hBaseReads = new HBaseReads(dialect, tables, reading, callLanes, callLimiter);
        scans = new Scans(dialect, tables, reading, callLanes, callLimiter);
        rangeDeletes = new RangeDeletes(dialect, tables, writing, callLanes);
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
        Duration startTimeout = limits.startTimeout();
        HBaseConnections hBaseConnections = HBaseConnections.open(dialect, startTimeout);
        try {
            Layout layout = new Layout(dialect, hBaseConnections.reading().getAdmin(), settings);
            HBaseConnections.await(dialect, layout.settle(), startTimeout);
            HBaseStore store = new HBaseStore(dialect, hBaseConnections, settings);
            HBaseConnections.await(
                    dialect,
                    RetryUntilReady.on(() -> LayoutVersion.settle(store), startTimeout),
                    startTimeout.plus(limits.callTimeout()).plus(limits.readTimeout()));
            return store;
        } catch (RuntimeException failure) {
            close(hBaseConnections, failure);
            throw failure;
        }
    }

    private static void close(HBaseConnections hBaseConnections, RuntimeException reported) {
        try {
            hBaseConnections.close();
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
        return conditionalWrites.putIfAbsent(key, value);
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return conditionalWrites.compareAndSet(key, expected, value);
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return hBaseReads.read(keys);
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return scans.scan(range, limit);
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return rangeDeletes.delete(range);
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
        writing.close(callTimeout);
        reading.close(callTimeout);
        try {
            hBaseConnections.close();
        } catch (IOException failure) {
            throw new StoreException(
                    Outcome.UNKNOWN, dialect.name() + ": not closed cleanly: " + failure.getMessage(), failure);
        }
    }
}
