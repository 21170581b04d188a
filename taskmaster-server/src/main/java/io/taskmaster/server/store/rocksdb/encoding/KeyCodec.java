package io.taskmaster.server.store.rocksdb.encoding;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import java.util.Arrays;

/**
 * The codec of RocksDB keys: a key per cell, whose byte order is the order of rows and columns, for rows of any bytes.
 * Stateless.
 *
 * <pre>
 * key   = partition (2 bytes, as they are), rest of the row (escaped), 00 01, column (1 byte)
 * escape: 00 -> 00 ff
 * </pre>
 *
 * <p>A row ends with 00 01, which sorts below 00 ff and below every other byte. So a row comes before the rows that it
 * is a prefix of, and the columns of a row are adjacent. The partition has a fixed length and needs no escape; its high
 * byte is usually 0.
 *
 * <p>A bound is the same without the column: it sorts before all cells of its row. Bounds may be shorter than a
 * partition; keys never are.
 */
public final class KeyCodec {

    private static final int PREFIX = Store.PARTITION_PREFIX_BYTES;
    private static final byte ESCAPED_ZERO = (byte) 0xff;
    private static final byte END_OF_ROW = 1;
    private static final int END_BYTES = 2;
    private static final int COLUMN_BYTES = 1;

    private KeyCodec() {}

    /** Returns the length of a cell's key. */
    static int keyBytes(Bytes row) {
        return row.size() + zeros(row) + END_BYTES + COLUMN_BYTES;
    }

    /** Writes a cell's key of {@link #keyBytes} bytes, and returns the position after it. */
    static int putKey(byte[] target, int position, Bytes row, int column) {
        int end = putRow(target, position, row);
        target[end] = (byte) column;
        return end + COLUMN_BYTES;
    }

    public static byte[] key(CellKey key) {
        byte[] encoded = new byte[keyBytes(key.row())];
        putKey(encoded, 0, key.row(), key.column());
        return encoded;
    }

    /**
     * Returns the key that sorts before all cells of {@code row} and of later rows, and after all cells of earlier
     * rows.
     */
    public static byte[] bound(Bytes row) {
        if (row.size() < PREFIX) {
            return row.toByteArray();
        }
        byte[] encoded = new byte[keyBytes(row) - COLUMN_BYTES];
        putRow(encoded, 0, row);
        return encoded;
    }

    /** Decodes a key. */
    public static CellKey decode(Table table, byte[] key) {
        int end = key.length - COLUMN_BYTES - END_BYTES;
        if (end < PREFIX || key[end] != 0 || key[end + 1] != END_OF_ROW) {
            throw new CorruptCellException("key: " + Bytes.wrap(key) + " (expected: a row that ends, and a column)");
        }
        byte[] row = new byte[end];
        int length = PREFIX;
        System.arraycopy(key, 0, row, 0, PREFIX);
        for (int i = PREFIX; i < end; i++) {
            row[length++] = key[i];
            if (key[i] == 0) {
                i++;
                if (i == end || key[i] != ESCAPED_ZERO) {
                    throw new CorruptCellException("key: " + Bytes.wrap(key) + " (expected: zeros escaped)");
                }
            }
        }
        Bytes decoded = Bytes.wrap(length == end ? row : Arrays.copyOf(row, length));
        return new CellKey(table, decoded, key[key.length - 1] & 0xff);
    }

    /** Returns whether two keys are of the same row. */
    public static boolean sameRow(byte[] key, byte[] other) {
        return key.length == other.length
                && Arrays.equals(key, 0, key.length - COLUMN_BYTES, other, 0, other.length - COLUMN_BYTES);
    }

    private static int putRow(byte[] target, int position, Bytes row) {
        byte[] bytes = row.unsafeArray();
        target[position] = bytes[0];
        target[position + 1] = bytes[1];
        int next = position + PREFIX;
        for (int i = PREFIX; i < bytes.length; i++) {
            target[next++] = bytes[i];
            if (bytes[i] == 0) {
                target[next++] = ESCAPED_ZERO;
            }
        }
        target[next++] = 0;
        target[next++] = END_OF_ROW;
        return next;
    }

    private static int zeros(Bytes row) {
        byte[] bytes = row.unsafeArray();
        int zeros = 0;
        for (int i = PREFIX; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                zeros++;
            }
        }
        return zeros;
    }
}
