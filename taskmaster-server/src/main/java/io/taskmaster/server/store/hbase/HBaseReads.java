package io.taskmaster.server.store.hbase;

import com.google.common.collect.Lists;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.traffic.CallLanes;
import io.taskmaster.server.store.hbase.traffic.CallLimiter;
import io.taskmaster.server.store.hbase.traffic.CallOutcomes;
import io.taskmaster.server.store.hbase.traffic.CallsInFlight;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Get;

/**
 * The point reads: whole rows, those of a table together, in pieces, so that no call returns too much or occupies a
 * server for long. While a read waits for a permit, only its keys are held, which the caller has in memory anyway. A
 * row with a key too long to be stored is reported as absent. Thread-safe.
 */
final class HBaseReads {

    /** The maximum number of rows of a call. */
    static final int PIECE_ROWS = 1_000;

    private record Piece(Table table, List<Bytes> rows) {}

    private final Dialect dialect;
    private final Tables tables;
    private final CallsInFlight callsInFlight;
    private final CallLanes callLanes;
    private final CallLimiter callLimiter;

    HBaseReads(
            Dialect dialect, Tables tables, CallsInFlight callsInFlight, CallLanes callLanes, CallLimiter callLimiter) {
        this.dialect = dialect;
        this.tables = tables;
        this.callsInFlight = callsInFlight;
        this.callLanes = callLanes;
        this.callLimiter = callLimiter;
    }

    CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        List<CellKey> requested = List.copyOf(keys);
        List<Piece> pieces = pieces(requested);
        if (pieces.isEmpty()) {
            return CompletableFuture.completedFuture(inOrder(requested, List.of()));
        }
        int rows = pieces.stream().mapToInt(piece -> piece.rows().size()).sum();
        return callsInFlight.launch(lane(pieces.getFirst()), rows, () -> {
            List<CompletableFuture<List<List<Cell>>>> read = pieces.stream()
                    .map(piece -> callLimiter.pass(lane(piece), () -> read(piece)))
                    .toList();
            return CallOutcomes.values(read)
                    .thenApply(found -> inOrder(
                            requested, found.stream().flatMap(List::stream).toList()));
        });
    }

    private List<Piece> pieces(List<CellKey> requested) {
        Map<Table, Set<Bytes>> rows = new EnumMap<>(Table.class);
        requested.stream()
                .filter(key -> key.row().size() <= dialect.bounds().maxRowBytes())
                .forEach(key -> rows.computeIfAbsent(key.table(), _ -> new LinkedHashSet<>())
                        .add(key.row()));
        List<Piece> pieces = new ArrayList<>();
        rows.forEach((table, ofTable) -> Lists.partition(List.copyOf(ofTable), PIECE_ROWS)
                .forEach(piece -> pieces.add(new Piece(table, piece))));
        return pieces;
    }

    /** Returns the lane of the first row: as a rule, all rows are of one partition. */
    private int lane(Piece piece) {
        return callLanes.of(piece.table(), piece.rows().getFirst());
    }

    private CompletableFuture<List<List<Cell>>> read(Piece piece) {
        List<Get> gets = piece.rows().stream()
                .map(row -> new Get(row.unsafeArray()).addFamily(HBaseColumns.family()))
                .toList();
        return CallOutcomes.values(dialect.get(tables.forReading(piece.table()), gets))
                .thenApply(rows -> rows.stream()
                        .map(row -> RowReader.read(piece.table(), row))
                        .toList());
    }

    private static List<Optional<Cell>> inOrder(List<CellKey> keys, List<List<Cell>> rows) {
        Map<CellKey, Cell> found = new HashMap<>();
        rows.forEach(row -> row.forEach(cell -> found.put(cell.key(), cell)));
        return keys.stream().map(key -> Optional.ofNullable(found.get(key))).toList();
    }
}
