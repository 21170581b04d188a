package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Table;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Row;

/** Plain changes of rows, in batches. Thread-safe. */
final class Writes {

    private final Dialect dialect;
    private final Tables tables;
    private final Flights flights;
    private final Lanes lanes;
    private final Gatherings gatherings;

    Writes(Dialect dialect, Tables tables, Flights flights, Lanes lanes, StoreLimits limits) {
        this.dialect = dialect;
        this.tables = tables;
        this.flights = flights;
        this.lanes = lanes;
        this.gatherings = new Gatherings(
                this::send,
                lanes,
                limits.batchesInFlight(),
                limits.batchBytes(),
                dialect.bounds().maxRowsOut());
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
            return CompletableFuture.completedFuture(null);
        }
        CellKey first = writes.getFirst().key();
        List<RowChange> changes = RowChange.of(writes, dialect);
        long bytes = changes.stream().mapToLong(RowChange::bytes).sum();
        return flights.launch(lanes.of(first.table(), first.row()), bytes, () -> submit(changes));
    }

    private CompletableFuture<Void> submit(List<RowChange> changes) {
        changes.forEach(change -> dialect.requireRow(change.row()));
        return gatherings.submit(changes);
    }
}
