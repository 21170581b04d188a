package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The rewriting, under the stamp of the current owner, of all rows of a partition that count. After it no earlier epoch
 * needs to be listed (ADR 15). Single-threaded: owned by the loop.
 *
 * <p>Values stay the same, and the partition does not serve meanwhile, neither here nor after a crash: a takeover from
 * a scrubbing owner scrubs, too. So a write of the scrub that lands late has no effect as long as its stamp counts; and
 * the stamp counts until the next scrub is complete, before any owner may delete the row.
 */
final class Scrub {

    private static final List<Table> TABLES = List.of(Table.TASKS, Table.DELAYED, Table.META);

    /**
     * The size of a key behind all rows of a partition: names are shorter, and no key compares above a key of 0xff
     * bytes.
     */
    private static final int UPPER_BOUND_BYTES = 1_100;

    private final Store store;
    private final StoreCalls calls;
    private final ScanLimit slice;
    private final int partition;
    private final PartitionRecord record;

    Scrub(Store store, StoreCalls calls, LogSettings settings, int partition, PartitionRecord record) {
        this.store = store;
        this.calls = calls;
        this.slice = settings.slice();
        this.partition = partition;
        this.record = record;
    }

    /** Rewrites the rows. Complete when all are durable. Fails if the outcome of a write is unknown. */
    CompletableFuture<Void> run() {
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (Table table : TABLES) {
            done = done.thenCompose(_ -> rewrite(rowsOf(table)));
        }
        // Tried once: after an unknown outcome the rows may not be durable, so the record must not drop the list of
        // epochs.
        return done.thenCompose(_ -> calls.retry(store::sync, 1));
    }

    private CompletableFuture<Void> rewrite(RowRange remaining) {
        return calls.attempt(() -> store.scan(remaining, slice))
                .thenCompose(found -> stage(found)
                        .thenCompose(_ -> found.complete()
                                ? CompletableFuture.completedFuture(null)
                                : rewrite(new RowRange(
                                        remaining.table(), after(found.cells().getLast()), remaining.to()))));
    }

    private CompletableFuture<Void> stage(ScanResult found) {
        Stamp stamp = new Stamp(record.epoch(), PartitionRecord.SCRUB_ROUND);
        List<CellWrite> writes = found.cells().stream()
                .filter(this::needsRewrite)
                .map(cell -> (CellWrite) new CellWrite.Put(cell.key(), stamp, cell.value()))
                .toList();
        return writes.isEmpty() ? CompletableFuture.completedFuture(null) : calls.retry(() -> store.stage(writes), 1);
    }

    private boolean needsRewrite(Cell cell) {
        // Unstamped cells, such as the record, are changed by comparison only and belong to no epoch.
        return !cell.stamp().equals(Stamp.NONE)
                && cell.stamp().epoch() < record.epoch()
                && record.believes(cell.stamp());
    }

    private RowRange rowsOf(Table table) {
        byte[] from = {(byte) (partition >> Byte.SIZE), (byte) partition};
        byte[] to = new byte[UPPER_BOUND_BYTES];
        Arrays.fill(to, (byte) 0xff);
        System.arraycopy(from, 0, to, 0, from.length);
        return new RowRange(table, Bytes.wrap(from), Bytes.wrap(to));
    }

    private static Bytes after(Cell last) {
        byte[] row = last.key().row().unsafeArray();
        return Bytes.wrap(Arrays.copyOf(row, row.length + 1));
    }
}
