package io.taskmaster.server.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** A reader of what a {@link ByteWriter} wrote; anything else is a {@link CorruptRecordException}. Single-threaded. */
public final class ByteReader {

    private final byte[] bytes;
    private final int end;
    private int position;

    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Reads a part of an array. */
    public ByteReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.position = from;
        this.end = end;
    }

    /** The position in the array. */
    public int position() {
        return position;
    }

    public boolean isAtEnd() {
        return position == end;
    }

    public int octet() {
        require(1);
        return bytes[position++] & 0xff;
    }

    /** Reads and checks the version byte that every record begins with. */
    public void version(int expected) {
        version(expected, expected);
    }

    /**
     * Reads the version byte where older versions are readable too.
     *
     * @return the version
     */
    public int version(int oldest, int newest) {
        int version = octet();
        if (version > newest) {
            var later = new LaterFormatException(version, newest);
            throw new CorruptRecordException("record: " + later.getMessage(), later);
        }
        if (version < oldest) {
            throw new CorruptRecordException(
                    "format version: " + version + " (expected: " + oldest + " to " + newest + ")");
        }
        return version;
    }

    public long varint() {
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

    public int varint32() {
        long value = varint();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new CorruptRecordException("number: " + value + " (expected: 0 to 2^31 - 1)");
        }
        return (int) value;
    }

    /**
     * Reads a count of elements that take at least a byte each. A count beyond the remaining bytes is corruption, so it
     * bounds allocations.
     */
    public int count() {
        int count = varint32();
        require(count);
        return count;
    }

    public long ordered() {
        require(Long.BYTES);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | (bytes[position++] & 0xff);
        }
        return value;
    }

    public byte[] sized() {
        int length = varint32();
        require(length);
        byte[] value = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return value;
    }

    public void skipSized() {
        int length = varint32();
        require(length);
        position += length;
    }

    public String text() {
        return new String(sized(), UTF_8);
    }

    public byte[] remaining() {
        byte[] value = Arrays.copyOfRange(bytes, position, end);
        position = end;
        return value;
    }

    public void end() {
        if (position != end) {
            throw new CorruptRecordException("record: " + (end - position) + " unexpected bytes at its end");
        }
    }

    private void require(int count) {
        if (count < 0 || end - position < count) {
            throw new CorruptRecordException(
                    "record: " + (end - position) + " bytes left (expected: at least " + count + ")");
        }
    }
}
