package io.taskmaster.server.store.rocksdb.encoding;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Stamp;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * A builder of write batches, in the order of its calls, that is cheap for small cells and for large ones.
 *
 * <p>Small cells are serialised in Java and cross into native code together ({@link SerializedBatch}), which costs a
 * few copies but no JNI call per cell. A large cell, such as a log row, would pay for these copies: from the first
 * large cell on, the rest of the batch goes into native memory cell by cell, through a direct buffer.
 *
 * <p>Single-threaded: owned by the writer.
 */
public final class BatchBuilder implements AutoCloseable {

    /** The size of a value from which a JNI call per cell costs less than the copies. */
    private static final int LARGE_BYTES = 16 << 10;

    /** The largest direct buffer that is kept. Larger values, which are rare, are copied once more. */
    private static final int MAX_BUFFER_BYTES = (1 << 20) + (4 << 10);

    private final SerializedBatch head = new SerializedBatch();
    private ByteBuffer keyBuffer = ByteBuffer.allocateDirect(1 << 10);
    private ByteBuffer valueBuffer = ByteBuffer.allocateDirect(2 * LARGE_BYTES);
    private final byte[] header = new byte[ValueCodec.MAX_HEADER_BYTES];
    private @Nullable WriteBatch batch;

    public boolean isEmpty() {
        return batch == null && head.isEmpty();
    }

    public void putCell(ColumnFamily columnFamily, Bytes row, int column, Stamp stamp, Bytes value)
            throws RocksDBException {
        if (batch == null && value.size() < LARGE_BYTES) {
            head.putCell(columnFamily.id(), row, column, stamp, value);
            return;
        }
        byte[] key = key(row, column);
        int valueBytes = ValueCodec.headerBytes(stamp) + value.size();
        if (valueBytes > MAX_BUFFER_BYTES) {
            nativeBatch().put(columnFamily.handle(), key, ValueCodec.encode(stamp, value));
            return;
        }
        if (valueBytes > valueBuffer.capacity()) {
            valueBuffer = ByteBuffer.allocateDirect(Math.min(2 * valueBytes, MAX_BUFFER_BYTES));
        }
        // Header and value go into one reused direct buffer, so they are copied without an array of their own.
        int headerBytes = ValueCodec.putHeader(header, 0, stamp);
        valueBuffer.clear().put(header, 0, headerBytes).put(value.unsafeArray()).flip();
        nativeBatch().put(columnFamily.handle(), inBuffer(key), valueBuffer);
    }

    public void deleteCell(ColumnFamily columnFamily, Bytes row, int column) throws RocksDBException {
        if (batch == null) {
            head.deleteCell(columnFamily.id(), row, column);
        } else {
            batch.delete(columnFamily.handle(), inBuffer(key(row, column)));
        }
    }

    public void deleteRange(ColumnFamily columnFamily, byte[] from, byte[] to) throws RocksDBException {
        if (batch == null) {
            head.deleteRange(columnFamily.id(), from, to);
        } else {
            batch.deleteRange(columnFamily.handle(), from, to);
        }
    }

    void put(ColumnFamily columnFamily, byte[] key, byte[] value) throws RocksDBException {
        if (batch == null) {
            head.put(columnFamily.id(), key, value);
        } else {
            batch.put(columnFamily.handle(), key, value);
        }
    }

    /** Returns the batch so far. It lives until this builder is cleared. */
    public WriteBatch nativeBatch() {
        if (batch == null) {
            batch = head.isEmpty() ? new WriteBatch() : new WriteBatch(head.toByteArray());
            head.clear();
        }
        return batch;
    }

    /** Empties the builder. */
    public void clear() {
        head.clear();
        if (batch != null) {
            batch.close();
            batch = null;
        }
    }

    private static byte[] key(Bytes row, int column) {
        byte[] key = new byte[KeyCodec.keyBytes(row)];
        KeyCodec.putKey(key, 0, row, column);
        return key;
    }

    private ByteBuffer inBuffer(byte[] key) {
        if (key.length > keyBuffer.capacity()) {
            keyBuffer = ByteBuffer.allocateDirect(2 * key.length);
        }
        return keyBuffer.clear().put(key).flip();
    }

    /** Frees native memory. */
    @Override
    public void close() {
        clear();
    }
}
