package io.taskmaster.server.partition.log.row;

import io.taskmaster.model.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The buffer of the gathering row: one growing array, reused for row after row. Single-threaded: owned by a
 * {@code LogWriter}.
 *
 * <p>It shrinks by half when a row needs less than a quarter of it, so that hundreds of partitions that were once busy
 * do not each retain a large array.
 */
public final class RowBuffer {

    private static final int INITIAL_BYTES = 1 << 10;

    private final Nonce writer;
    private final int maxBytes;
    private final CRC32C checksum = new CRC32C();
    private byte[] bytes;
    private ByteBuffer row;

    public RowBuffer(Nonce writer, int maxBytes) {
        this.writer = writer;
        this.maxBytes = maxBytes;
        this.bytes = new byte[INITIAL_BYTES];
        this.row = started();
    }

    public boolean isEmpty() {
        return row.position() == LogRowCodec.HEADER_BYTES;
    }

    /** The size of the row so far, in bytes. */
    public int size() {
        return row.position();
    }

    /** The number of bytes of one more atom that fit into the row; negative if not even its header fits. */
    public int remaining() {
        return maxBytes - row.position() - LogRowCodec.FRAGMENT_HEADER_BYTES;
    }

    /** Adds {@code length} bytes of an atom, which must fit. */
    public void add(long ticket, byte[] atom, int from, int length) {
        ensure(LogRowCodec.FRAGMENT_HEADER_BYTES + length);
        int flags =
                (from == 0 ? LogRowCodec.FLAG_FIRST : 0) | (from + length == atom.length ? LogRowCodec.FLAG_LAST : 0);
        row.put((byte) flags).putLong(ticket).putInt(length).put(atom, from, length);
    }

    /** Returns the finished row and resets the buffer. */
    public Bytes seal(LogKey key) {
        int size = row.position();
        LogRowCodec.seal(bytes, size, key, checksum);
        if (size == bytes.length) {
            // A full row of a large atom hands over its array instead of a copy.
            Bytes full = Bytes.wrap(bytes);
            bytes = new byte[INITIAL_BYTES];
            row = started();
            return full;
        }
        Bytes sealed = Bytes.wrap(Arrays.copyOf(bytes, size));
        if (bytes.length > INITIAL_BYTES && size < bytes.length / 4) {
            bytes = new byte[bytes.length / 2];
            row = started();
        } else {
            row.position(LogRowCodec.HEADER_BYTES);
        }
        return sealed;
    }

    private void ensure(int added) {
        int used = row.position();
        if (used + added > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(used + added, Math.min(2 * bytes.length, maxBytes)));
            row = ByteBuffer.wrap(bytes).position(used);
        }
    }

    private ByteBuffer started() {
        ByteBuffer started = ByteBuffer.wrap(bytes);
        LogRowCodec.putHeader(started, LogRowCodec.KIND_ATOMS, writer);
        return started;
    }
}
