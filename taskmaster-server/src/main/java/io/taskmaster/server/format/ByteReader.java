package io.taskmaster.server.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Reads what a {@link ByteWriter} wrote; anything else is a {@link CorruptRecordException}. Single-threaded. */
final class ByteReader {

    private final byte[] bytes;
    private int position;

    ByteReader(byte[] bytes) {
        this.bytes = bytes;
    }

    int octet() {
        require(1);
        return bytes[position++] & 0xff;
    }

    /** Reads and checks the version byte that every record begins with. */
    void version(int expected) {
        version(expected, expected);
    }

    /** Likewise, where older versions can be read too; which one it is. */
    int version(int oldest, int newest) {
        int version = octet();
        if (version < oldest || version > newest) {
            throw new CorruptRecordException(
                    "format version: " + version + " (expected: " + oldest + " to " + newest + ")");
        }
        return version;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int octet = octet();
            value |= (long) (octet & 0x7f) << shift;
            if (octet < 0x80) {
                return value;
            }
        }
        throw new CorruptRecordException("varint: more than 10 bytes");
    }

    int varint32() {
        long value = varint();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new CorruptRecordException("number: " + value + " (expected: 0 to 2^31 - 1)");
        }
        return (int) value;
    }

    /** A count of elements that take at least a byte each. */
    int count() {
        int count = varint32();
        require(count);
        return count;
    }

    long ordered() {
        require(Long.BYTES);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | (bytes[position++] & 0xff);
        }
        return value;
    }

    byte[] sized() {
        int length = varint32();
        require(length);
        byte[] value = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return value;
    }

    String text() {
        return new String(sized(), UTF_8);
    }

    byte[] rest() {
        byte[] value = Arrays.copyOfRange(bytes, position, bytes.length);
        position = bytes.length;
        return value;
    }

    void end() {
        if (position != bytes.length) {
            throw new CorruptRecordException("record: " + (bytes.length - position) + " bytes behind its end");
        }
    }

    private void require(int count) {
        if (count < 0 || bytes.length - position < count) {
            throw new CorruptRecordException(
                    "record: " + (bytes.length - position) + " bytes left (expected: at least " + count + ")");
        }
    }
}
