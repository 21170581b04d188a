package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.traffic.BatchQueue;
import io.taskmaster.server.store.hbase.traffic.CallLanes;
import io.taskmaster.server.store.hbase.traffic.CallOutcomes;
import io.taskmaster.server.store.hbase.traffic.LaneShares;
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
final class WriteBatcher {

    /** A sender of batches of a table. Returns an outcome per change, in order. */
    interface Sender extends BiFunction<Table, List<RowChange>, List<CompletableFuture<Void>>> {}

    private final Map<Table, List<BatchQueue<RowChange>>> batchQueues = new EnumMap<>(Table.class);
    private final CallLanes callLanes;

    /**
     * Creates one gathering per table and slice.
     *
     * @param sliceBatches the maximum number of batches in flight of a slice that is busy alone; each slice may always
     *     have one
     * @param batchBytes the maximum size of a batch, exceeded by a row at most
     * @param tableRows the maximum number of rows of a table in batches in flight, exceeded by one per batch at most
     */
    WriteBatcher(Sender sender, CallLanes callLanes, int sliceBatches, int batchBytes, int tableRows) {
        this.callLanes = callLanes;
        int tableBatches = callLanes.slices() + sliceBatches - 1;
        int batchRows = Math.max(1, tableRows / tableBatches);
        for (Table table : Table.values()) {
            LaneShares batches = new LaneShares(tableBatches, callLanes.slices());
            List<BatchQueue<RowChange>> slices = IntStream.range(0, callLanes.slices())
                    .mapToObj(slice -> new BatchQueue<>(
                            (List<RowChange> batch) -> sender.apply(table, batch),
                            RowChange::bytes,
                            batchBytes,
                            batchRows,
                            batches,
                            slice))
                    .toList();
            batchQueues.put(table, slices);
        }
    }

    /** Submits each change to its gathering. Completes when all have landed. */
    CompletableFuture<Void> submit(List<RowChange> changes) {
        Map<BatchQueue<RowChange>, List<RowChange>> byQueue = new LinkedHashMap<>();
        changes.forEach(change ->
                byQueue.computeIfAbsent(queueOf(change), _ -> new ArrayList<>()).add(change));
        List<CompletableFuture<Void>> results = new ArrayList<>(byQueue.size());
        byQueue.forEach((batchQueue, together) -> results.add(batchQueue.submit(together)));
        return CallOutcomes.all(results);
    }

    private BatchQueue<RowChange> queueOf(RowChange change) {
        List<BatchQueue<RowChange>> slices = Objects.requireNonNull(batchQueues.get(change.table()));
        return slices.get(callLanes.slice(Bytes.wrap(change.row())));
    }
}
