package io.taskmaster.server.store.hbase;

import com.google.common.base.Preconditions;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;

/**
 * The layout of a store cell in the columns of an HBase row. A value is cut into pieces of {@link #PIECE_BYTES}, of
 * which the last is shorter, and perhaps empty. So most values are one piece, and a reader recognises the end of a
 * value by its length. The qualifier of the first piece is the column; that of a further piece is the column and the
 * number of the piece.
 *
 * <p>Pieces that a larger, older value left behind have older timestamps, and are deleted with their row. Stateless.
 */
final class HBaseColumns {

    /** The single column family of every table. */
    private static final byte[] FAMILY = {'c'};

    /** The size of a piece, well below the ten megabytes that HBase allows per cell by default. */
    static final int PIECE_BYTES = 8 << 20;

    static final int MAX_PIECES = Store.MAX_VALUE_BYTES / PIECE_BYTES + 1;

    private HBaseColumns() {}

    /** The column family; callers must not modify it. */
    static byte[] family() {
        return FAMILY;
    }

    static byte[] qualifier(int column, int piece) {
        return piece == 0 ? new byte[] {(byte) column} : new byte[] {(byte) column, (byte) piece};
    }

    /** Returns the pieces of a value, in order. */
    static List<byte[]> split(Bytes value) {
        if (value.size() < PIECE_BYTES) {
            return List.of(value.unsafeArray());
        }
        Preconditions.checkArgument(
                value.size() <= Store.MAX_VALUE_BYTES,
                "value: %s bytes (expected: at most %s)",
                value.size(),
                Store.MAX_VALUE_BYTES);
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from <= value.size(); from += PIECE_BYTES) {
            pieces.add(Arrays.copyOfRange(value.unsafeArray(), from, Math.min(from + PIECE_BYTES, value.size())));
        }
        return pieces;
    }

    /** Adds a value to a put, under the given timestamp, in as many pieces as it needs. */
    static void addTo(Put put, int column, long timestamp, Bytes value) {
        List<byte[]> pieces = split(value);
        for (int piece = 0; piece < pieces.size(); piece++) {
            put.addColumn(FAMILY, qualifier(column, piece), timestamp, pieces.get(piece));
        }
    }

    /** Returns a deletion of values, each as of its stamp, whatever the number of their pieces. */
    static Delete delete(byte[] row, List<CellWrite.Delete> deletes) {
        Delete delete = new Delete(row);
        for (CellWrite.Delete cellDelete : deletes) {
            long timestamp = Timestamps.of(cellDelete.stamp());
            for (int piece = 0; piece < MAX_PIECES; piece++) {
                delete.addColumns(FAMILY, qualifier(cellDelete.key().column(), piece), timestamp);
            }
        }
        return delete;
    }
}
