package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.traffic.CallLanes;
import io.taskmaster.server.store.hbase.traffic.CallLimiter;
import io.taskmaster.server.store.hbase.traffic.CallOutcomes;
import io.taskmaster.server.store.hbase.traffic.CallsInFlight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/**
 * The deletion of ranges of rows. HBase has no such call: the rows are scanned, without their values, and deleted,
 * slice by slice. Thread-safe.
 */
final class RangeDeletes {

    static final int SLICE_ROWS = 512;

    private final Dialect dialect;
    private final Tables tables;
    private final CallsInFlight callsInFlight;
    private final CallLanes callLanes;
    private final CallLimiter callLimiter;

    RangeDeletes(Dialect dialect, Tables tables, CallsInFlight callsInFlight, CallLanes callLanes) {
        this.dialect = dialect;
        this.tables = tables;
        this.callsInFlight = callsInFlight;
        this.callLanes = callLanes;
        this.callLimiter = new CallLimiter(dialect.bounds().maxRangeDeletes(), 1);
    }

    CompletableFuture<Void> delete(RowRange range) {
        return callsInFlight.launch(
                callLanes.of(range.table(), range.from()),
                1,
                () -> callLimiter.pass(0, () -> slice(range.table(), range.from(), range.to())));
    }

    private CompletableFuture<Void> slice(Table table, Bytes from, Bytes to) {
        if (from.compareTo(to) >= 0) {
            return CompletableFuture.completedFuture(null);
        }
        Scan scan = new Scan()
                .withStartRow(from.unsafeArray())
                .withStopRow(to.unsafeArray())
                .addFamily(HBaseColumns.family())
                .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()))
                .setCacheBlocks(false)
                .setCaching(SLICE_ROWS)
                .setLimit(SLICE_ROWS);
        return tables.forReading(table)
                .scanAll(scan)
                .thenCompose(found -> delete(table, found)
                        .thenCompose(_ -> found.size() < SLICE_ROWS
                                ? CompletableFuture.completedFuture(null)
                                : slice(table, after(found.getLast()), to)));
    }

    private CompletableFuture<Void> delete(Table table, List<Result> found) {
        List<Delete> deletes = new ArrayList<>(found.size());
        found.forEach(row -> deletes.add(dialect.rowDelete(table, row.getRow())));
        List<CompletableFuture<Void>> results = tables.forWriting(table).delete(deletes);
        return results.isEmpty() ? CompletableFuture.completedFuture(null) : CallOutcomes.all(results);
    }

    private static Bytes after(Result last) {
        byte[] row = last.getRow();
        return Bytes.wrap(Arrays.copyOf(row, row.length + 1));
    }
}
