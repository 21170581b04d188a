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
 * How a cell of ours lies in the columns of a row. Its value is cut into pieces of {@link #PIECE_BYTES}, of which the last is shorter, and
 * perhaps empty: so most values are one piece, and a reader knows where a value ends without being told. The qualifier of the first piece
 * is the column, that of others the column and their number.
 *
 * <p>Pieces that a larger, older value left behind have older timestamps, and go with their row. Stateless.
 */
final class Columns {

    /** The one column family of every table. */
    private static final byte[] FAMILY = {'c'};

    /** Well below the ten megabytes that an HBase allows to a cell unless it is told otherwise. */
    static final int PIECE_BYTES = 8 << 20;

    static final int MAX_PIECES = Store.MAX_VALUE_BYTES / PIECE_BYTES + 1;

    private Columns() {}

    /** The family; not to be changed. */
    static byte[] family() {
        return FAMILY;
    }

    static byte[] qualifier(int column, int piece) {
        return piece == 0 ? new byte[] {(byte) column} : new byte[] {(byte) column, (byte) piece};
    }

    /** The pieces of a value, in order. */
    static List<byte[]> cut(Bytes value) {
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

    /** Sets a value under a timestamp of its own, in as many pieces as it takes. */
    static void addTo(Put put, int column, long timestamp, Bytes value) {
        List<byte[]> pieces = cut(value);
        for (int piece = 0; piece < pieces.size(); piece++) {
            put.addColumn(FAMILY, qualifier(column, piece), timestamp, pieces.get(piece));
        }
    }

    /** Deletes values, each as of its stamp, however many pieces they have. */
    static Delete delete(byte[] row, List<CellWrite.Delete> deletes) {
        Delete delete = new Delete(row);
        for (CellWrite.Delete gone : deletes) {
            long timestamp = Timestamps.of(gone.stamp());
            for (int piece = 0; piece < MAX_PIECES; piece++) {
                delete.addColumns(FAMILY, qualifier(gone.key().column(), piece), timestamp);
            }
        }
        return delete;
    }
}
