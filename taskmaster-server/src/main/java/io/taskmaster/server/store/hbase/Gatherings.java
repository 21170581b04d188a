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
 * The gatherings of all tables: changes of one table and one slice of the partitions, which is about a region, are
 * batched together. HBase syncs its log once per region of a batch, so a batch of several regions would save nothing.
 * And when one server hangs, no batch for another server waits for it. Thread-safe.
 */
final class Gatherings {

    /** A sender of batches of a table. Returns an outcome per change, in order. */
    interface Sender extends BiFunction<Table, List<RowChange>, List<CompletableFuture<Void>>> {}

    private final Map<Table, List<Gathering<RowChange>>> gatherings = new EnumMap<>(Table.class);
    private final Lanes lanes;

    /**
     * Creates one gathering per table and slice.
     *
     * @param sliceBatches the maximum number of batches in flight of a slice that is busy alone; each slice may always
     *     have one
     * @param batchBytes the maximum size of a batch, exceeded by a row at most
     * @param tableRows the maximum number of rows of a table in batches in flight, exceeded by one per batch at most
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

    /** Submits each change to its gathering. Completes when all have landed. */
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
