package io.taskmaster.server.cluster;

import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The load reports of all nodes in the store. A report is put with the beat of its node as the round of its stamp: a
 * put of an earlier life, or one that lands late, does not replace it. The epoch is the last one, so that no owner of
 * partition 0 takes the cell for one of its own. Immutable.
 */
public final class LoadCells {

    private static final Logger log = LoggerFactory.getLogger(LoadCells.class);

    private final Store store;
    private final StoreCalls calls;

    public LoadCells(Store store, StoreCalls calls) {
        this.store = store;
        this.calls = calls;
    }

    /** Replaces the report of a node, unless there is a later one. */
    public CompletableFuture<Void> put(LoadReport report) {
        CellWrite write = new CellWrite.Put(
                ClusterRows.load(report.node().id()),
                new Stamp(Stamp.MAX_EPOCH, report.beat()),
                LoadCodec.encode(report));
        return calls.attempt(() -> store.write(List.of(write)));
    }

    /** Reads the reports of all nodes, without those of later formats. */
    public CompletableFuture<List<LoadReport>> read() {
        return new RowScan(store, calls)
                .run(ClusterRows.loads())
                .thenApply(cells ->
                        cells.stream().flatMap(cell -> decode(cell).stream()).toList());
    }

    private static Optional<LoadReport> decode(Cell cell) {
        String nodeId = ClusterRows.nodeId(cell.key());
        try {
            return Optional.of(LoadCodec.decode(nodeId, cell.value()));
        } catch (CorruptRecordException unreadable) {
            log.debug("the loads of node {} are left out: {}", nodeId, unreadable.getMessage());
            return Optional.empty();
        }
    }
}
