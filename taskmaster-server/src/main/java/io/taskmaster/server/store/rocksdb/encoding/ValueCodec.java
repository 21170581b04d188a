package io.taskmaster.server.store.rocksdb.encoding;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.store.Stamp;
import java.util.Arrays;

/**
 * The codec of RocksDB values: format version (1 byte), epoch and round of the stamp (unsigned LEB128 each), and the
 * bytes of the cell. A cell without a stamp has stamp 0.0, which takes two bytes. Stateless.
 */
public final class ValueCodec {

    /** The version that is written. Version 1 is the first; there is no older one to read. */
    static final byte VERSION = 1;

    private static final int VERSION_BYTES = 1;

    /** The maximum length of the header before the cell's bytes. */
    static final int MAX_HEADER_BYTES = VERSION_BYTES + 2 * Varints.MAX_BYTES;

    private ValueCodec() {}

    static int headerBytes(Stamp stamp) {
        return VERSION_BYTES + Varints.bytes(stamp.epoch()) + Varints.bytes(stamp.round());
    }

    /** Writes the header, and returns the position after it. */
    static int putHeader(byte[] target, int position, Stamp stamp) {
        target[position] = VERSION;
        int next = Varints.put(target, position + VERSION_BYTES, stamp.epoch());
        return Varints.put(target, next, stamp.round());
    }

    public static byte[] encode(Stamp stamp, Bytes value) {
        int header = headerBytes(stamp);
        byte[] encoded = new byte[header + value.size()];
        putHeader(encoded, 0, stamp);
        System.arraycopy(value.unsafeArray(), 0, encoded, header, value.size());
        return encoded;
    }

    public static Stamp stamp(byte[] encoded) {
        if (encoded.length > 0 && encoded[0] > VERSION) {
            var later = new LaterFormatException(encoded[0], VERSION);
            throw new CorruptCellException("cell: " + later.getMessage(), later);
        }
        if (encoded.length == 0 || encoded[0] != VERSION) {
            throw new CorruptCellException(
                    "cell format version: " + (encoded.length == 0 ? "none" : encoded[0]) + " (expected: 1)");
        }
        long epoch = Varints.get(encoded, VERSION_BYTES);
        return new Stamp(epoch, Varints.get(encoded, VERSION_BYTES + Varints.bytes(epoch)));
    }

    public static Bytes value(byte[] encoded, Stamp stamp) {
        return Bytes.wrap(Arrays.copyOfRange(encoded, headerBytes(stamp), encoded.length));
    }
}
