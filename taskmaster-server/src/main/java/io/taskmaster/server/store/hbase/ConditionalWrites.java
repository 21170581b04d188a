package io.taskmaster.server.store.hbase;

import com.google.common.base.Preconditions;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.hbase.traffic.CallLanes;
import io.taskmaster.server.store.hbase.traffic.CallLimiter;
import io.taskmaster.server.store.hbase.traffic.CallsInFlight;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Put;

/**
 * The conditional changes: put-if-absent and compare-and-set. Each is a call of its own: HBase executes those of one
 * call sequentially, with a sync for each, and those of many calls concurrently, with few syncs. Thread-safe.
 */
final class ConditionalWrites {

    private static final int CALL_BYTES = 128;

    private final Dialect dialect;
    private final Tables tables;
    private final CallsInFlight callsInFlight;
    private final CallLanes callLanes;
    private final CallLimiter callLimiter;

    ConditionalWrites(
            Dialect dialect, Tables tables, CallsInFlight callsInFlight, CallLanes callLanes, CallLimiter callLimiter) {
        this.dialect = dialect;
        this.tables = tables;
        this.callsInFlight = callsInFlight;
        this.callLanes = callLanes;
        this.callLimiter = callLimiter;
    }

    CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return send(key, value, Optional.empty());
    }

    CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        requireComparable(value);
        expected.ifPresent(ConditionalWrites::requireComparable);
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
        int lane = callLanes.of(key.table(), key.row());
        return callsInFlight.launch(lane, CALL_BYTES + row.length + value.size(), () -> {
            dialect.requireRow(row);
            Optional<byte[]> held =
                    expected.map(bytes -> Unstamped.encode(bytes).unsafeArray());
            held.ifPresent(dialect::requireComparable);
            Put put = new Put(row);
            HBaseColumns.addTo(put, key.column(), Unstamped.TIMESTAMP, Unstamped.encode(value));
            // The first piece stands for the value: it is there whenever the value is, and a compared value has no
            // other.
            byte[] qualifier = HBaseColumns.qualifier(key.column(), 0);
            return callLimiter.pass(
                    lane, () -> dialect.checkAndPut(tables.forWriting(key.table()), qualifier, held, put));
        });
    }
}
