package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.traffic.Gathering;
import io.taskmaster.server.store.hbase.traffic.Lanes;
import io.taskmaster.server.store.hbase.traffic.Outcomes;
import io.taskmaster.server.store.hbase.traffic.Shares;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * What is gathered together: the changes of a table and a slice of the partitions, about a region. HBase syncs its log once for each region
 * of a batch, so a batch of several regions would save nothing; and where one server hangs, no batch of another waits for it. Thread-safe.
 */
final class Gatherings {

    /** Sends a batch of a table: an outcome per change, in order. */
    interface Sender extends BiFunction<Table, List<RowChange>, List<CompletableFuture<Void>>> {}

    private final Map<Table, List<Gathering<RowChange>>> gatherings = new EnumMap<>(Table.class);
    private final Lanes lanes;

    /**
     * @param sliceBatches batches that are out at the same time of a slice that is busy alone; each may always have one
     * @param batchBytes the largest batch, give or take a row
     * @param tableRows rows of a table in batches that are out at the same time, give or take one for each
     */
    Gatherings(Sender sender, Lanes lanes, int sliceBatches, int batchBytes, int tableRows) {
        this.lanes = lanes;
        int tableBatches = lanes.slices() + sliceBatches - 1;
        int batchRows = Math.max(1, tableRows / tableBatches);
        for (Table table : Table.values()) {
            Shares batches = new Shares(tableBatches, lanes.slices());
            List<Gathering<RowChange>> slices = IntStream.range(0, lanes.slices())
                    .mapToObj(slice -> new Gathering<>(
                            (List<RowChange> batch) -> sender.apply(table, batch),
                            RowChange::bytes,
                            batchBytes,
                            batchRows,
                            batches,
                            slice))
                    .toList();
            gatherings.put(table, slices);
        }
    }

    /** Takes changes on, each where it belongs; complete when all landed. */
    CompletableFuture<Void> submit(List<RowChange> changes) {
        Map<Gathering<RowChange>, List<RowChange>> apart = new LinkedHashMap<>();
        changes.forEach(change ->
                apart.computeIfAbsent(gathering(change), _ -> new ArrayList<>()).add(change));
        List<CompletableFuture<Void>> landed = new ArrayList<>(apart.size());
        apart.forEach((gathering, together) -> landed.add(gathering.submit(together)));
        return Outcomes.all(landed);
    }

    private Gathering<RowChange> gathering(RowChange change) {
        List<Gathering<RowChange>> slices = Objects.requireNonNull(gatherings.get(change.table()));
        return slices.get(lanes.slice(Bytes.wrap(change.row())));
    }
}
