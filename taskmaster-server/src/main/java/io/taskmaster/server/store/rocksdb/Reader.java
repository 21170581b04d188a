package io.taskmaster.server.store.rocksdb;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.rocksdb.encoding.CorruptCellException;
import io.taskmaster.server.store.rocksdb.encoding.KeyCodec;
import io.taskmaster.server.store.rocksdb.encoding.ValueCodec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.PerfContext;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** The point reads and scans of the store. They run on the calling thread and block. Thread-safe. */
final class Reader {

    private final Database database;
    private final LongAdder scans = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder cells = new LongAdder();
    private final LongAdder tombstones = new LongAdder();
    private final LongAdder hidden = new LongAdder();

    Reader(Database database) {
        this.database = database;
    }

    ScanStatistics statistics() {
        return new ScanStatistics(scans.sum(), rows.sum(), cells.sum(), tombstones.sum(), hidden.sum());
    }

    List<Optional<Cell>> read(List<CellKey> keys) throws RocksDBException {
        List<ColumnFamilyHandle> families = new ArrayList<>(keys.size());
        List<byte[]> encoded = new ArrayList<>(keys.size());
        for (CellKey key : keys) {
            families.add(database.family(key.table()).handle());
            encoded.add(KeyCodec.key(key));
        }
        List<byte[]> values = keys.isEmpty() ? List.of() : database.db().multiGetAsList(families, encoded);
        List<Optional<Cell>> found = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            byte @Nullable [] value = values.get(i);
            found.add(value == null ? Optional.empty() : Optional.of(cell(keys.get(i), value)));
        }
        return found;
    }

    ScanResult scan(RowRange range, ScanLimit limit) throws RocksDBException {
        if (range.from().compareTo(range.to()) >= 0) {
            return new ScanResult(List.of(), true);
        }
        PerfContext counters = database.db().getPerfContext();
        counters.reset();
        try (Slice upper = new Slice(KeyCodec.bound(range.to()));
                ReadOptions options = new ReadOptions().setIterateUpperBound(upper);
                RocksIterator entries =
                        database.db().newIterator(database.family(range.table()).handle(), options)) {
            Rows found = new Rows(range, limit);
            int steps = 0;
            boolean hasRoom = true;
            for (entries.seek(KeyCodec.bound(range.from())); entries.isValid(); entries.next()) {
                steps++;
                hasRoom = found.add(entries);
                if (!hasRoom) {
                    break;
                }
            }
            // An iterator that meets an error just ends. Only its status tells that from the end of the range.
            entries.status();
            count(found, steps, counters);
            return new ScanResult(found.cells, hasRoom);
        }
    }

    private void count(Rows found, int steps, PerfContext counters) {
        scans.increment();
        rows.add(found.rows);
        cells.add(found.cells.size());
        tombstones.add(counters.getInternalDeleteSkippedCount());
        // RocksDB also counts the key that each step leaves behind as skipped.
        hidden.add(Math.max(0, counters.getInternalKeySkippedCount() - steps));
    }

    private static Cell cell(CellKey key, byte[] value) {
        try {
            Stamp stamp = ValueCodec.stamp(value);
            return new Cell(key, stamp, ValueCodec.value(value, stamp));
        } catch (CorruptCellException corrupt) {
            throw new CorruptCellException(
                    "table %s, row %s, column %d: %s"
                            .formatted(
                                    key.table(),
                                    HexFormat.of().formatHex(key.row().unsafeArray()),
                                    key.column(),
                                    corrupt.getMessage()),
                    corrupt.getCause());
        }
    }

    /** The rows that a scan has found so far, whole. Single-threaded: owned by the scan. */
    private static final class Rows {

        private final RowRange range;
        private final ScanLimit limit;
        private final List<Cell> cells = new ArrayList<>();
        private byte[] lastKey = {};
        private Bytes lastRow = Bytes.EMPTY;
        private int rows;
        private long bytes;

        Rows(RowRange range, ScanLimit limit) {
            this.range = range;
            this.limit = limit;
        }

        /** Adds an entry. Returns false if the limit is reached and the entry begins another row. */
        boolean add(RocksIterator entry) {
            byte[] key = entry.key();
            boolean newRow = !KeyCodec.sameRow(key, lastKey);
            if (newRow && rows > 0 && (rows == limit.rows() || bytes >= limit.bytes())) {
                return false;
            }
            CellKey decoded = KeyCodec.decode(range.table(), key);
            if (newRow) {
                rows++;
                lastKey = key;
                lastRow = decoded.row();
            } else {
                // All cells of a row share one row object.
                decoded = new CellKey(decoded.table(), lastRow, decoded.column());
            }
            Cell cell = cell(decoded, entry.value());
            cells.add(cell);
            bytes += lastRow.size() + cell.value().size();
            return true;
        }
    }
}
