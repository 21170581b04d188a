package io.taskmaster.server.store.memory;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The semantics of the store operations, on a sorted map. Single-threaded: owned by the thread that holds the lock of
 * the store.
 */
final class SortedCells {

    private final NavigableMap<CellKey, Cell> cells = new TreeMap<>();

    void write(List<CellWrite> writes) {
        writes.forEach(this::apply);
    }

    private void apply(CellWrite write) {
        Cell held = cells.get(write.key());
        if (held != null && write.stamp().compareTo(held.stamp()) < 0) {
            return;
        }
        switch (write) {
            case CellWrite.Put put -> cells.put(put.key(), new Cell(put.key(), put.stamp(), put.value()));
            case CellWrite.Delete delete -> cells.remove(delete.key());
        }
    }

    boolean compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        if (!read(key).map(Cell::value).equals(expected)) {
            return false;
        }
        cells.put(key, new Cell(key, Stamp.NONE, value));
        return true;
    }

    List<Optional<Cell>> read(List<CellKey> keys) {
        return keys.stream().map(this::read).toList();
    }

    private Optional<Cell> read(CellKey key) {
        return Optional.ofNullable(cells.get(key));
    }

    ScanResult scan(RowRange range, ScanLimit limit) {
        List<Cell> found = new ArrayList<>();
        Bytes row = Bytes.EMPTY;
        int rows = 0;
        long bytes = 0;
        for (Cell cell : within(range).values()) {
            if (rows == 0 || !cell.key().row().equals(row)) {
                if (rows == limit.rows() || bytes >= limit.bytes()) {
                    return new ScanResult(found, false);
                }
                row = cell.key().row();
                rows++;
            }
            bytes += row.size() + cell.value().size();
            found.add(cell);
        }
        return new ScanResult(found, true);
    }

    void deleteRange(RowRange range) {
        within(range).clear();
    }

    void clear() {
        cells.clear();
    }

    private NavigableMap<CellKey, Cell> within(RowRange range) {
        CellKey from = new CellKey(range.table(), range.from(), 0);
        CellKey to = new CellKey(range.table(), range.to(), 0);
        return from.compareTo(to) < 0 ? cells.subMap(from, true, to, false) : new TreeMap<>();
    }
}
