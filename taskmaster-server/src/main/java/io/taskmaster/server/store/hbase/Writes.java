package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.settings.StoreLimits;
import io.taskmaster.server.store.hbase.traffic.CallLanes;
import io.taskmaster.server.store.hbase.traffic.CallOutcomes;
import io.taskmaster.server.store.hbase.traffic.CallsInFlight;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Row;

/** The unconditional changes of rows, in batches. Thread-safe. */
final class Writes {

    private final Dialect dialect;
    private final Tables tables;
    private final CallsInFlight callsInFlight;
    private final CallLanes callLanes;
    private final WriteBatcher writeBatcher;

    Writes(Dialect dialect, Tables tables, CallsInFlight callsInFlight, CallLanes callLanes, StoreLimits limits) {
        this.dialect = dialect;
        this.tables = tables;
        this.callsInFlight = callsInFlight;
        this.callLanes = callLanes;
        this.writeBatcher = new WriteBatcher(
                this::send,
                callLanes,
                limits.batchesInFlight(),
                limits.batchBytes(),
                dialect.bounds().maxRowsOut());
    }

    /** Sends a batch. If the mutations of a row have different outcomes, the row fails. */
    private List<CompletableFuture<Void>> send(Table table, List<RowChange> batch) {
        List<Row> mutations =
                batch.stream().flatMap(change -> change.mutations().stream()).toList();
        List<CompletableFuture<Void>> results = sendMutations(table, mutations);
        List<CompletableFuture<Void>> outcomes = new ArrayList<>(batch.size());
        int from = 0;
        for (RowChange change : batch) {
            int to = from + change.mutations().size();
            outcomes.add(CallOutcomes.all(results.subList(from, to)));
            from = to;
        }
        return outcomes;
    }

    private List<CompletableFuture<Void>> sendMutations(Table table, List<Row> mutations) {
        return tables.forWriting(table).<Object>batch(mutations).stream()
                .map(mutationResult -> mutationResult.<Void>handle((_, failure) -> {
                    if (failure != null) {
                        throw HBaseFailures.ofWriting(dialect, "write to " + table, failure);
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
        return callsInFlight.launch(callLanes.of(first.table(), first.row()), bytes, () -> submit(changes));
    }

    private CompletableFuture<Void> submit(List<RowChange> changes) {
        changes.forEach(change -> dialect.requireRow(change.row()));
        return writeBatcher.submit(changes);
    }
}
