package io.taskmaster.server.cluster;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A scan over all rows of a range; one call of the store suffices, unless the cells are many megabytes. Immutable.
 *
 * @param store the store
 * @param calls the calls, on whose loop the outcome is handled
 */
record RowScan(Store store, StoreCalls calls) {

    private static final ScanLimit SLICE = new ScanLimit(10_000, 8 << 20);

    CompletableFuture<List<Cell>> run(RowRange range) {
        return run(range, new ArrayList<>());
    }

    private CompletableFuture<List<Cell>> run(RowRange remaining, List<Cell> cells) {
        return calls.attempt(() -> store.scan(remaining, SLICE)).thenCompose(found -> {
            cells.addAll(found.cells());
            if (found.complete()) {
                return CompletableFuture.completedFuture(cells);
            }
            byte[] last = cells.getLast().key().row().unsafeArray();
            Bytes next = Bytes.wrap(Arrays.copyOf(last, last.length + 1));
            return run(new RowRange(remaining.table(), next, remaining.to()), cells);
        });
    }
}
