package io.taskmaster.simulation.store;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.LogFormats;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import io.taskmaster.simulation.world.OwnerProcess;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The stored rows, and the effect of each operation at the instant at which it lands. Deletions leave no tombstone, so
 * an older change that lands after a deletion takes effect: the worst that a store may do. Staged cells are visible at
 * once, and may be gone again when their process crashes. Single-threaded: owned by the simulation.
 */
public final class StoredRows {

    static final Stamp UNSTAMPED = new Stamp(0, 0);

    private final Map<Table, SortedMap<Bytes, SortedMap<Integer, Cell>>> tables = new EnumMap<>(Table.class);
    private final StagedCells staged = new StagedCells();

    public StoredRows() {
        for (Table table : Table.values()) {
            tables.put(table, new TreeMap<>());
        }
    }

    Optional<Cell> cell(CellKey key) {
        return Optional.ofNullable(row(key.table(), key.row()).get(key.column()));
    }

    /** The size of the longest partition record, in bytes. */
    public int maxRecordBytes(int partitions) {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> cell(LogFormats.recordKey(partition)))
                .flatMap(Optional::stream)
                .mapToInt(cell -> cell.value().size())
                .max()
                .orElse(0);
    }

    void set(CellKey key, Bytes value) {
        set(new Cell(key, UNSTAMPED, value));
    }

    boolean putIfAbsent(CellKey key, Bytes value) {
        if (cell(key).isPresent()) {
            return false;
        }
        set(key, value);
        return true;
    }

    boolean compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        if (!cell(key).map(Cell::value).equals(expected)) {
            return false;
        }
        set(key, value);
        return true;
    }

    /**
     * Applies a durable write.
     *
     * @param comparing whether the newer stamp wins; otherwise the later write wins
     */
    void apply(CellWrite write, boolean comparing) {
        if (!comparing || isEffective(write)) {
            staged.overwritten(write.key());
            show(write.key(), result(write));
        }
    }

    /** Applies a write as {@link #apply} does, until the process crashes without having synced it. */
    void stage(OwnerProcess process, CellWrite write, boolean comparing) {
        if (!comparing || isEffective(write)) {
            staged.add(process, write.key(), cell(write.key()), result(write));
            show(write.key(), result(write));
        }
    }

    /** Makes what the process staged durable. */
    void sync(OwnerProcess process) {
        staged.sync(process);
    }

    /**
     * Handles the crash of a process.
     *
     * @param lost the rows whose staged and unsynced cells are lost
     */
    void lose(OwnerProcess process, Predicate<RowId> lost) {
        staged.lose(process, lost).forEach(this::show);
    }

    private boolean isEffective(CellWrite write) {
        return cell(write.key())
                .filter(stored -> stored.stamp().compareTo(write.stamp()) > 0)
                .isEmpty();
    }

    private static Optional<Cell> result(CellWrite write) {
        return switch (write) {
            case CellWrite.Put put -> Optional.of(new Cell(put.key(), put.stamp(), put.value()));
            case CellWrite.Delete _ -> Optional.empty();
        };
    }

    private void show(CellKey key, Optional<Cell> cell) {
        cell.ifPresentOrElse(this::set, () -> remove(key));
    }

    /** Returns all cells of the first row of a range; empty if the range has no row. */
    Optional<List<Cell>> firstRow(RowRange range) {
        SortedMap<Bytes, SortedMap<Integer, Cell>> rows = rows(range);
        return rows.values().stream().findFirst().map(row -> List.copyOf(row.values()));
    }

    /** The number of rows of a table. */
    public int size(Table table) {
        return table(table).size();
    }

    List<Bytes> rowsOf(RowRange range) {
        return new ArrayList<>(rows(range).keySet());
    }

    void deleteRow(Table table, Bytes row) {
        SortedMap<Integer, Cell> cells = table(table).remove(row);
        if (cells != null) {
            cells.values().forEach(cell -> staged.overwritten(cell.key()));
        }
    }

    private void set(Cell cell) {
        table(cell.key().table())
                .computeIfAbsent(cell.key().row(), row -> new TreeMap<>())
                .put(cell.key().column(), cell);
    }

    private void remove(CellKey key) {
        SortedMap<Integer, Cell> row = table(key.table()).get(key.row());
        if (row != null) {
            row.remove(key.column());
            if (row.isEmpty()) {
                table(key.table()).remove(key.row());
            }
        }
    }

    private SortedMap<Bytes, SortedMap<Integer, Cell>> rows(RowRange range) {
        return range.from().compareTo(range.to()) >= 0
                ? new TreeMap<>()
                : table(range.table()).subMap(range.from(), range.to());
    }

    private SortedMap<Integer, Cell> row(Table table, Bytes row) {
        return table(table).getOrDefault(row, new TreeMap<>());
    }

    private SortedMap<Bytes, SortedMap<Integer, Cell>> table(Table table) {
        return tables.getOrDefault(table, new TreeMap<>());
    }
}
