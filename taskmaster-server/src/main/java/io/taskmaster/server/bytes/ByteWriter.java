package io.taskmaster.server.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.model.ByteSequence;
import java.util.Arrays;

/** A growing array to encode into. Integers are unsigned varints unless stated otherwise. Single-threaded. */
public final class ByteWriter {

    private byte[] bytes;
    private int size;

    public ByteWriter(int expectedBytes) {
        bytes = new byte[expectedBytes];
    }

    /** Returns a copy of what was written, owned by the caller. */
    public byte[] copy() {
        return Arrays.copyOf(bytes, size);
    }

    /** Returns what was written, after the last write. The array may be the writer's own. */
    public byte[] finish() {
        return size == bytes.length ? bytes : copy();
    }

    public void reset() {
        size = 0;
    }

    public ByteWriter octet(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
        return this;
    }

    public ByteWriter varint(long value) {
        ensure(10);
        long remaining = value;
        while ((remaining & ~0x7fL) != 0) {
            bytes[size++] = (byte) (remaining | 0x80);
            remaining >>>= 7;
        }
        bytes[size++] = (byte) remaining;
        return this;
    }

    /** Writes eight bytes, big-endian, so that unsigned order is kept. */
    public ByteWriter ordered(long value) {
        ensure(Long.BYTES);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    public ByteWriter sized(ByteSequence value) {
        return sized(value.unsafeArray());
    }

    public ByteWriter sized(String value) {
        return value.isEmpty() ? octet(0) : sized(value.getBytes(UTF_8));
    }

    private ByteWriter sized(byte[] value) {
        varint(value.length);
        return raw(value);
    }

    public ByteWriter raw(byte[] value) {
        ensure(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }
}
