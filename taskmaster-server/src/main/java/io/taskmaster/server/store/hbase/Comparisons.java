package io.taskmaster.server.store.hbase;

import com.google.common.base.Preconditions;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.hbase.traffic.Flights;
import io.taskmaster.server.store.hbase.traffic.Lanes;
import io.taskmaster.server.store.hbase.traffic.Turnstile;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Put;

/**
 * The conditional changes: put-if-absent and compare-and-set. Each is a call of its own: HBase executes those of one
 * call sequentially, with a sync for each, and those of many calls concurrently, with few syncs. Thread-safe.
 */
final class Comparisons {

    private static final int CALL_BYTES = 128;

    private final Dialect dialect;
    private final Tables tables;
    private final Flights flights;
    private final Lanes lanes;
    private final Turnstile turnstile;

    Comparisons(Dialect dialect, Tables tables, Flights flights, Lanes lanes, Turnstile turnstile) {
        this.dialect = dialect;
        this.tables = tables;
        this.flights = flights;
        this.lanes = lanes;
        this.turnstile = turnstile;
    }

    CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return send(key, value, Optional.empty());
    }

    CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        requireComparable(value);
        expected.ifPresent(Comparisons::requireComparable);
        return send(key, value, expected);
    }

    private static void requireComparable(Bytes value) {
        Preconditions.checkArgument(
                value.size() <= Store.MAX_COMPARED_BYTES,
                "compared value: %s bytes (expected: at most %s)",
                value.size(),
                Store.MAX_COMPARED_BYTES);
    }

    private CompletableFuture<Boolean> send(CellKey key, Bytes value, Optional<Bytes> expected) {
        byte[] row = key.row().unsafeArray();
        int lane = lanes.of(key.table(), key.row());
        return flights.launch(lane, CALL_BYTES + row.length + value.size(), () -> {
            dialect.requireRow(row);
            Optional<byte[]> held =
                    expected.map(bytes -> Unstamped.encode(bytes).unsafeArray());
            held.ifPresent(dialect::requireComparable);
            Put put = new Put(row);
            Columns.addTo(put, key.column(), Unstamped.TIMESTAMP, Unstamped.encode(value));
            byte[] qualifier = Columns.qualifier(key.column(), 0);
            return turnstile.pass(
                    lane, () -> dialect.checkAndPut(tables.forWriting(key.table()), qualifier, held, put));
        });
    }
}
