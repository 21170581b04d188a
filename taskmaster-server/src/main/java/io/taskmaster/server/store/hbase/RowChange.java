package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;

/**
 * All changes of one row in one write, in the form of a batch. Immutable.
 *
 * @param mutations one, or a put and a delete
 * @param bytes the approximate size in flight
 */
record RowChange(Table table, List<Row> mutations, long bytes) {

    /** The estimated overhead of a cell beside its row and its value, in bytes. */
    private static final int CELL_BYTES = 48;

    private record Address(Table table, Bytes row) {}

    /** Groups writes by row. Returns one change for each. */
    static List<RowChange> of(List<CellWrite> writes, Dialect dialect) {
        if (writes.size() == 1) {
            CellKey key = writes.getFirst().key();
            return List.of(of(new Address(key.table(), key.row()), writes, dialect));
        }
        Map<Address, List<CellWrite>> rows = LinkedHashMap.newLinkedHashMap(writes.size());
        for (CellWrite write : writes) {
            Address address = new Address(write.key().table(), write.key().row());
            rows.computeIfAbsent(address, _ -> new ArrayList<>(3)).add(write);
        }
        List<RowChange> changes = new ArrayList<>(rows.size());
        rows.forEach((address, changesOfRow) -> changes.add(of(address, changesOfRow, dialect)));
        return changes;
    }

    byte[] row() {
        return mutations.getFirst().getRow();
    }

    private static RowChange of(Address address, List<CellWrite> writes, Dialect dialect) {
        byte[] row = address.row().unsafeArray();
        Put put = new Put(row);
        List<CellWrite.Delete> deletes = new ArrayList<>();
        long bytes = 0;
        for (CellWrite write : writes) {
            bytes += CELL_BYTES + row.length;
            switch (write) {
                case CellWrite.Put set -> {
                    HBaseColumns.addTo(put, set.key().column(), Timestamps.of(set.stamp()), set.value());
                    bytes += set.value().size();
                }
                case CellWrite.Delete gone -> deletes.add(gone);
            }
        }
        return new RowChange(address.table(), dialect.change(put, deletes), bytes);
    }
}
