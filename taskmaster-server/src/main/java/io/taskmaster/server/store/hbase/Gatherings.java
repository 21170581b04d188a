package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Row;

/**
 * What is gathered together: the changes of a table and a slice of the partitions, about a region. HBase syncs its log once for each region
 * of a batch, so a batch of several regions would save nothing; and where one server hangs, no batch of another waits for it. Thread-safe.
 */
final class Gatherings {

    /** Sends a batch of a table: an outcome per mutation, in order. */
    interface Sender extends BiFunction<Table, List<Row>, List<CompletableFuture<Void>>> {}

    private final Map<Table, List<Gathering>> gatherings = new EnumMap<>(Table.class);
    private final Lanes lanes;

    /**
     * @param tableBatches batches of a table that are out at the same time, split between its slices, of which each has one at least
     * @param batchBytes the largest batch, give or take a row
     * @param tableRows rows of a table in batches that are out at the same time, give or take one for each
     */
    Gatherings(Sender sender, Lanes lanes, int tableBatches, int batchBytes, int tableRows) {
        this.lanes = lanes;
        int batches = Math.max(1, tableBatches / lanes.slices());
        int batchRows = Math.max(1, tableRows / (batches * lanes.slices()));
        for (Table table : Table.values()) {
            List<Gathering> slices = Stream.generate(
                            () -> new Gathering(batch -> sender.apply(table, batch), batchBytes, batchRows, batches))
                    .limit(lanes.slices())
                    .toList();
            gatherings.put(table, slices);
        }
    }

    /** Takes changes on, each where it belongs; complete when all landed. */
    CompletableFuture<Void> submit(List<RowChange> changes) {
        Map<Gathering, List<RowChange>> apart = new LinkedHashMap<>();
        changes.forEach(change ->
                apart.computeIfAbsent(gathering(change), _ -> new ArrayList<>()).add(change));
        List<CompletableFuture<Void>> landed = new ArrayList<>(apart.size());
        apart.forEach((gathering, together) -> landed.add(gathering.submit(together)));
        return Outcomes.all(landed);
    }

    private Gathering gathering(RowChange change) {
        List<Gathering> slices = Objects.requireNonNull(gatherings.get(change.table()));
        return slices.get(lanes.slice(Bytes.wrap(change.row())));
    }
}
