package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;

/**
 * All changes of one row in one write, as HBase takes them. Immutable.
 *
 * <p>Puts and deletes of a row are two mutations, not one that is atomic, because HBase syncs its log for each of those by itself, and for all
 * plain mutations of a batch together. Both land in one batch, which a reader sees at once, but for rare bad luck.
 *
 * @param mutations one, or a put and a delete
 * @param bytes about what they cost on their way
 */
record RowChange(Table table, List<Mutation> mutations, long bytes) {

    /** What a cell costs beside its row and its value. */
    private static final int CELL_BYTES = 48;

    private record Address(Table table, Bytes row) {}

    /** One for each row. */
    static List<RowChange> of(List<CellWrite> writes, Durability durability) {
        if (writes.size() == 1) {
            CellKey key = writes.getFirst().key();
            return List.of(of(new Address(key.table(), key.row()), writes, durability));
        }
        Map<Address, List<CellWrite>> rows = LinkedHashMap.newLinkedHashMap(writes.size());
        for (CellWrite write : writes) {
            Address address = new Address(write.key().table(), write.key().row());
            rows.computeIfAbsent(address, _ -> new ArrayList<>(3)).add(write);
        }
        List<RowChange> changes = new ArrayList<>(rows.size());
        rows.forEach((address, changesOfRow) -> changes.add(of(address, changesOfRow, durability)));
        return changes;
    }

    /** A value that is set, under a timestamp of its own, in as many cells as it takes. */
    static void addTo(Put put, int column, long timestamp, Bytes value) {
        List<byte[]> pieces = Columns.cut(value);
        for (int piece = 0; piece < pieces.size(); piece++) {
            put.addColumn(Columns.family(), Columns.qualifier(column, piece), timestamp, pieces.get(piece));
        }
    }

    private static RowChange of(Address address, List<CellWrite> writes, Durability durability) {
        byte[] row = address.row().unsafeArray();
        List<Mutation> mutations = new ArrayList<>(2);
        Put put = new Put(row);
        List<CellWrite.Delete> deletes = new ArrayList<>();
        long bytes = 0;
        for (CellWrite write : writes) {
            bytes += CELL_BYTES + row.length;
            switch (write) {
                case CellWrite.Put set -> {
                    addTo(put, set.key().column(), Timestamps.of(set.stamp()), set.value());
                    bytes += set.value().size();
                }
                case CellWrite.Delete gone -> deletes.add(gone);
            }
        }
        if (!put.isEmpty()) {
            mutations.add(put.setDurability(durability));
        }
        if (!deletes.isEmpty()) {
            mutations.add(delete(row, deletes, put.isEmpty()).setDurability(durability));
        }
        return new RowChange(address.table(), mutations, bytes);
    }

    /**
     * A row that loses its column 0, and gets nothing, goes as a whole: one marker, under which all pieces of large values are gone.
     *
     * @param alone whether nothing is put into the row
     */
    private static Delete delete(byte[] row, List<CellWrite.Delete> deletes, boolean alone) {
        Delete delete = new Delete(row);
        Stamp stamp = deletes.getFirst().stamp();
        if (alone
                && deletes.stream().anyMatch(gone -> gone.key().column() == 0)
                && deletes.stream().allMatch(gone -> gone.stamp().equals(stamp))) {
            return delete.addFamily(Columns.family(), Timestamps.of(stamp));
        }
        for (CellWrite.Delete gone : deletes) {
            for (int piece = 0; piece < Columns.MAX_PIECES; piece++) {
                byte[] qualifier = Columns.qualifier(gone.key().column(), piece);
                delete.addColumns(Columns.family(), qualifier, Timestamps.of(gone.stamp()));
            }
        }
        return delete;
    }
}
