package io.taskmaster.server.store.hbase;

import com.google.common.base.Preconditions;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;

/**
 * Changes that look first. Each is a call of its own: HBase does those of one call one after the other, with a sync for each, and those of
 * many calls side by side, with few. Thread-safe.
 */
final class Comparisons {

    private static final int CALL_BYTES = 128;

    private final Tables tables;
    private final Flights flights;
    private final Turnstile turnstile;
    private final Durability durability;

    Comparisons(Tables tables, Flights flights, HBaseSettings settings) {
        this.tables = tables;
        this.flights = flights;
        this.turnstile = new Turnstile(settings.limits().callsInFlight());
        this.durability = settings.durable().wal();
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
        byte[] qualifier = Columns.qualifier(key.column(), 0);
        CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
        if (expected.isPresent()) {
            byte[] held = Unstamped.encode(expected.get()).unsafeArray();
            check.ifMatches(Columns.family(), qualifier, CompareOperator.EQUAL, held);
        } else {
            check.ifNotExists(Columns.family(), qualifier);
        }
        Put put = new Put(row);
        RowChange.addTo(put, key.column(), Unstamped.TIMESTAMP, Unstamped.encode(value));
        put.setDurability(durability);
        return flights.launch(
                CALL_BYTES + row.length + value.size(),
                () -> turnstile.pass(() -> tables.forWriting(key.table())
                        .checkAndMutate(check.build(put))
                        .thenApply(CheckAndMutateResult::isSuccess)));
    }
}
