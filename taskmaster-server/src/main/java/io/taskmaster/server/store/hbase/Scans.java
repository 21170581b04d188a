package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.hbase.traffic.CallLanes;
import io.taskmaster.server.store.hbase.traffic.CallLimiter;
import io.taskmaster.server.store.hbase.traffic.CallsInFlight;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** The scans. Each asks for one row beyond its limit, to learn whether there are more. Thread-safe. */
final class Scans {

    /** The maximum size of the answer to one call of a scan, exceeded by a row at most. */
    private static final long CALL_BYTES = 2 << 20;

    private static final int CALL_ROWS = 8192;

    private final Dialect dialect;
    private final Tables tables;
    private final CallsInFlight callsInFlight;
    private final CallLanes callLanes;
    private final CallLimiter callLimiter;

    Scans(Dialect dialect, Tables tables, CallsInFlight callsInFlight, CallLanes callLanes, CallLimiter callLimiter) {
        this.dialect = dialect;
        this.tables = tables;
        this.callsInFlight = callsInFlight;
        this.callLanes = callLanes;
        this.callLimiter = callLimiter;
    }

    CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        if (range.from().compareTo(range.to()) >= 0) {
            return CompletableFuture.completedFuture(new ScanResult(List.of(), true));
        }
        int lane = callLanes.of(range.table(), range.from());
        return callsInFlight.launch(
                lane,
                1,
                () -> callLimiter.pass(lane, () -> {
                    Gatherer gatherer = new Gatherer(range, limit);
                    return dialect.scan(tables.forReading(range.table()), request(range, limit), gatherer)
                            .thenApply(gatherer::result);
                }));
    }

    private static Scan request(RowRange range, ScanLimit limit) {
        int rows = requestedRows(limit);
        return new Scan()
                .withStartRow(range.from().unsafeArray())
                .withStopRow(range.to().unsafeArray())
                .addFamily(HBaseColumns.family())
                .setCaching(Math.min(rows, CALL_ROWS))
                .setMaxResultSize(Math.min(limit.bytes(), CALL_BYTES))
                .setLimit(rows);
    }

    private static int requestedRows(ScanLimit limit) {
        return (int) Math.min(limit.rows() + 1L, Integer.MAX_VALUE);
    }

    /** A collector of rows up to the limit. Single-threaded: used by one thread at a time. */
    private static final class Gatherer implements Predicate<Result> {

        private final RowRange range;
        private final ScanLimit limit;
        private final List<Cell> cells = new ArrayList<>();
        private int rows;
        private int rowsRead;
        private long bytes;

        Gatherer(RowRange range, ScanLimit limit) {
            this.range = range;
            this.limit = limit;
        }

        @Override
        public boolean test(Result row) {
            // Judged by the next row and not after the last one: only a row that is there shows that more follow.
            if (rows == limit.rows() || bytes >= limit.bytes()) {
                return false;
            }
            rowsRead++;
            add(RowReader.read(range.table(), row));
            return true;
        }

        /** Takes a row. A row with nothing but leftover pieces of a deleted value does not count. */
        private void add(List<Cell> row) {
            if (row.isEmpty()) {
                return;
            }
            rows++;
            for (Cell cell : row) {
                bytes += cell.key().row().size() + cell.value().size();
            }
            cells.addAll(row);
        }

        /**
         * Returns the result.
         *
         * @param ended whether the scan returned no more rows than were asked for
         */
        ScanResult result(boolean ended) {
            return new ScanResult(cells, ended && rowsRead < requestedRows(limit));
        }
    }
}
