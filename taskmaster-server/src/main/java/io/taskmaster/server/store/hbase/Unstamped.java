package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Stamp;

/**
 * The encoding of values of cells without a stamp, which are compared. An encoded value is never empty, since HBase
 * takes an empty expected value for an absent cell. An empty value is stored as a zero byte, and one that begins with a
 * zero byte gets another one in front. All other values, which are those that occur in practice, are stored as they
 * are. Stateless.
 */
final class Unstamped {

    static final long TIMESTAMP = Timestamps.of(Stamp.NONE);

    private Unstamped() {}

    static Bytes encode(Bytes value) {
        byte[] bytes = value.unsafeArray();
        if (bytes.length > 0 && bytes[0] != 0) {
            return value;
        }
        byte[] escaped = new byte[bytes.length + 1];
        System.arraycopy(bytes, 0, escaped, 1, bytes.length);
        return Bytes.wrap(escaped);
    }

    static byte[] decode(byte[] stored) {
        if (stored.length == 0 || stored[0] != 0) {
            return stored;
        }
        byte[] value = new byte[stored.length - 1];
        System.arraycopy(stored, 1, value, 0, value.length);
        return value;
    }
}
