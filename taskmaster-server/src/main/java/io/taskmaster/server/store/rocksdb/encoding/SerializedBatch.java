package io.taskmaster.server.store.rocksdb.encoding;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Stamp;
import java.util.Arrays;

/**
 * A RocksDB write batch in its serialised form, which crosses into native code once and not once per cell. The form is
 * that of RocksDB's own log files, and as stable as they are; a test compares it with a batch that RocksDB built.
 *
 * <pre>
 * batch  = sequence (8 bytes, 0), count (4 bytes, little endian), records
 * record = type, family (varint), key (length as varint, bytes),
 *          value or end of the range (likewise), if the type has one
 * </pre>
 *
 * <p>Single-threaded: owned by the writer.
 */
final class SerializedBatch {

    private static final int HEADER_BYTES = 12;
    private static final int COUNT_POSITION = 8;
    private static final byte PUT = 0x5;
    private static final byte DELETE = 0x4;
    private static final byte DELETE_RANGE = 0xe;

    /** The length of type, family and two length fields, at their longest. */
    private static final int MAX_FRAMING_BYTES = 1 + 3 * 5;

    private static final int INITIAL_BYTES = 64 << 10;
    private static final int MAX_REUSED_BYTES = 2 << 20;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length = HEADER_BYTES;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    void putCell(int family, Bytes row, int column, Stamp stamp, Bytes value) {
        int keyBytes = KeyCodec.keyBytes(row);
        int valueBytes = ValueCodec.headerBytes(stamp) + value.size();
        begin(PUT, family, keyBytes + valueBytes);
        putVarint(keyBytes);
        length = KeyCodec.putKey(bytes, length, row, column);
        putVarint(valueBytes);
        length = ValueCodec.putHeader(bytes, length, stamp);
        append(value.unsafeArray());
    }

    void put(int family, byte[] key, byte[] value) {
        begin(PUT, family, key.length + value.length);
        putVarint(key.length);
        append(key);
        putVarint(value.length);
        append(value);
    }

    void deleteCell(int family, Bytes row, int column) {
        int keyBytes = KeyCodec.keyBytes(row);
        begin(DELETE, family, keyBytes);
        putVarint(keyBytes);
        length = KeyCodec.putKey(bytes, length, row, column);
    }

    void deleteRange(int family, byte[] from, byte[] to) {
        begin(DELETE_RANGE, family, from.length + to.length);
        putVarint(from.length);
        append(from);
        putVarint(to.length);
        append(to);
    }

    /** Returns a copy of the batch. */
    byte[] toByteArray() {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[COUNT_POSITION + i] = (byte) (count >>> (Byte.SIZE * i));
        }
        return Arrays.copyOf(bytes, length);
    }

    /** Empties the batch. A buffer that a large value has made large is not kept. */
    void clear() {
        if (bytes.length > MAX_REUSED_BYTES) {
            bytes = new byte[INITIAL_BYTES];
        }
        length = HEADER_BYTES;
        count = 0;
    }

    private void begin(byte type, int family, int dataBytes) {
        int needed = Math.addExact(length + MAX_FRAMING_BYTES, dataBytes);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
        bytes[length++] = type;
        putVarint(family);
        count++;
    }

    private void putVarint(int value) {
        length = Varints.put(bytes, length, value);
    }

    private void append(byte[] data) {
        System.arraycopy(data, 0, bytes, length, data.length);
        length += data.length;
    }
}
