package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;

/** Plain changes of rows, in batches by table. Thread-safe. */
final class Writes {

    private final Map<Table, Gathering> gatherings = new EnumMap<>(Table.class);
    private final Flights flights;
    private final Durability durability;

    Writes(Tables tables, Flights flights, HBaseSettings settings) {
        this.flights = flights;
        this.durability = settings.durable().wal();
        for (Table table : Table.values()) {
            gatherings.put(
                    table,
                    new Gathering(
                            batch -> send(tables, table, batch),
                            settings.limits().batchBytes(),
                            settings.limits().batchesInFlight()));
        }
    }

    private static List<CompletableFuture<Void>> send(Tables tables, Table table, List<Mutation> batch) {
        return tables.forWriting(table).<Object>batch(batch).stream()
                .map(landed -> landed.<Void>handle((_, failure) -> {
                    if (failure != null) {
                        throw Failures.ofWriting("write to " + table, failure);
                    }
                    return null;
                }))
                .toList();
    }

    CompletableFuture<Void> write(List<CellWrite> writes) {
        if (writes.isEmpty()) {
            return flights.launch(0, () -> CompletableFuture.completedFuture(null));
        }
        Map<Table, List<RowChange>> byTable = new EnumMap<>(Table.class);
        long bytes = 0;
        for (RowChange change : RowChange.of(writes, durability)) {
            byTable.computeIfAbsent(change.table(), _ -> new ArrayList<>()).add(change);
            bytes += change.bytes();
        }
        return flights.launch(bytes, () -> submit(byTable));
    }

    private CompletableFuture<Void> submit(Map<Table, List<RowChange>> byTable) {
        List<CompletableFuture<Void>> landed = new ArrayList<>(byTable.size());
        gatherings.forEach((table, gathering) -> {
            List<RowChange> changes = byTable.get(table);
            if (changes != null) {
                landed.add(gathering.submit(changes));
            }
        });
        return Outcomes.all(landed);
    }
}
