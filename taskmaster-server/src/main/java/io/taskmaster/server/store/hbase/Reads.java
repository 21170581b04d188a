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
    private final Turnstile turnstile;

    Reads(Dialect dialect, Tables tables, Flights flights, Turnstile turnstile) {
        this.dialect = dialect;
        this.tables = tables;
        this.flights = flights;
        this.turnstile = turnstile;
    }

    CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        List<CellKey> wanted = List.copyOf(keys);
        return flights.launch(
                wanted.size(),
                () -> turnstile.pass(() -> {
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
