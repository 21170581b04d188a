package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Row;

/** Plain changes of rows, in batches by table. Thread-safe. */
final class Writes {

    private final Map<Table, Gathering> gatherings = new EnumMap<>(Table.class);
    private final Dialect dialect;
    private final Tables tables;
    private final Flights flights;

    Writes(Dialect dialect, Tables tables, Flights flights, HBaseSettings.Limits limits) {
        this.dialect = dialect;
        this.tables = tables;
        this.flights = flights;
        for (Table table : Table.values()) {
            gatherings.put(
                    table,
                    new Gathering(
                            batch -> send(table, batch),
                            limits.batchBytes(),
                            dialect.bounds().maxBatchRows(),
                            limits.batchesInFlight()));
        }
    }

    private List<CompletableFuture<Void>> send(Table table, List<Row> batch) {
        return tables.forWriting(table).<Object>batch(batch).stream()
                .map(landed -> landed.<Void>handle((_, failure) -> {
                    if (failure != null) {
                        throw Failures.ofWriting(dialect, "write to " + table, failure);
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
        for (RowChange change : RowChange.of(writes, dialect)) {
            byTable.computeIfAbsent(change.table(), _ -> new ArrayList<>()).add(change);
            bytes += change.bytes();
        }
        return flights.launch(bytes, () -> submit(byTable));
    }

    private CompletableFuture<Void> submit(Map<Table, List<RowChange>> byTable) {
        byTable.values().forEach(changes -> changes.forEach(change -> dialect.requireRow(change.row())));
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
