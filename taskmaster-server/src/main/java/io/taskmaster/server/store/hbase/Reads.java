package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Table;
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

/** Point reads: whole rows, those of a table together. A row that could not be stored is not there. Thread-safe. */
final class Reads {

    private final Dialect dialect;
    private final Tables tables;
    private final Flights flights;
    private final Lanes lanes;
    private final Turnstile turnstile;

    Reads(Dialect dialect, Tables tables, Flights flights, Lanes lanes, Turnstile turnstile) {
        this.dialect = dialect;
        this.tables = tables;
        this.flights = flights;
        this.lanes = lanes;
        this.turnstile = turnstile;
    }

    /** Takes the lane of the first: as a rule all are of one partition. */
    CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        List<CellKey> wanted = List.copyOf(keys);
        int lane = lanes.of(wanted.getFirst().table(), wanted.getFirst().row());
        return flights.launch(
                lane,
                wanted.size(),
                () -> turnstile.pass(lane, () -> {
                    Map<Table, Set<Bytes>> rows = new EnumMap<>(Table.class);
                    wanted.forEach(key -> rows.computeIfAbsent(key.table(), _ -> new LinkedHashSet<>())
                            .add(key.row()));
                    List<CompletableFuture<List<Cell>>> read = new ArrayList<>();
                    rows.forEach((table, ofTable) -> read.addAll(read(table, ofTable)));
                    return Outcomes.values(read).thenApply(found -> inOrder(wanted, found));
                }));
    }

    private List<CompletableFuture<List<Cell>>> read(Table table, Set<Bytes> rows) {
        List<Get> gets = rows.stream()
                .filter(row -> row.size() <= dialect.bounds().maxRowBytes())
                .map(row -> new Get(row.unsafeArray()).addFamily(Columns.family()))
                .toList();
        return dialect.get(tables.forReading(table), gets).stream()
                .map(row -> row.thenApply(result -> RowReader.read(table, result)))
                .toList();
    }

    private static List<Optional<Cell>> inOrder(List<CellKey> keys, List<List<Cell>> rows) {
        Map<CellKey, Cell> found = new HashMap<>();
        rows.forEach(row -> row.forEach(cell -> found.put(cell.key(), cell)));
        return keys.stream().map(key -> Optional.ofNullable(found.get(key))).toList();
    }
}
