package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.UnknownLayoutException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * A store in HBase's tables. Thread-safe.
 *
 * <p>What may have been done is never tried again here: a call that was made and not answered has an unknown outcome, and who asked for it
 * reads back, or gives up its epoch. Futures complete on threads of HBase's client.
 */
public final class HBaseStore implements Store {

    private final AsyncConnection connection;
    private final HBaseSettings settings;
    private final Flights writing;
    private final Flights reading;
    private final Writes writes;
    private final Comparisons comparisons;
    private final Reads reads;
    private final Scans scans;
    private final Erasures erasures;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HBaseStore(AsyncConnection connection, HBaseSettings settings) {
        this.connection = connection;
        this.settings = settings;
        Tables tables = new Tables(connection, settings);
        writing = new Flights(
                "bytes", settings.limits().inFlightBytes(), failure -> Failures.ofWriting("write", failure));
        reading =
                new Flights("reads", settings.limits().inFlightReads(), failure -> Failures.ofReading("read", failure));
        writes = new Writes(tables, writing, settings);
        comparisons = new Comparisons(tables, writing, settings);
        Turnstile turnstile = new Turnstile(settings.limits().callsInFlight());
        reads = new Reads(tables, reading, turnstile);
        scans = new Scans(tables, reading, turnstile);
        erasures = new Erasures(tables, writing);
    }

    /**
     * Connects, and makes the tables that are missing. Blocks.
     *
     * @throws UnknownLayoutException if a table is there that is not ours, or of a layout that this version does not know
     * @throws StoreException if HBase does not answer, or not let us
     */
    public static HBaseStore open(HBaseSettings settings) {
        AsyncConnection connection = Client.connect(settings);
        try {
            Client.await(
                    new Layout(connection.getAdmin(), settings).settle(),
                    settings.limits().startTimeout());
            HBaseStore store = new HBaseStore(connection, settings);
            Client.await(LayoutVersion.settle(store), settings.limits().startTimeout());
            return store;
        } catch (RuntimeException failure) {
            close(connection, failure);
            throw failure;
        }
    }

    private static void close(AsyncConnection connection, RuntimeException reported) {
        try {
            connection.close();
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
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        writing.close(settings.limits().callTimeout());
        reading.close(settings.limits().callTimeout());
        try {
            connection.close();
        } catch (IOException failure) {
            throw new StoreException(Outcome.UNKNOWN, "HBase: not closed cleanly: " + failure.getMessage(), failure);
        }
    }
}
