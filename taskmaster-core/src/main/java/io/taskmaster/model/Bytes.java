package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Any byte string: a payload, a stored value, a row. Immutable. */
public final class Bytes extends ByteSequence implements Comparable<Bytes> {

    /** The empty one. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private Bytes(byte[] bytes) {
        super(bytes);
    }

    /** Copies the bytes. */
    public static Bytes copyOf(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /** Takes the bytes over without a copy: the caller never changes them again. */
    public static Bytes wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Bytes(bytes);
    }

    /** The UTF-8 bytes of a text. */
    public static Bytes of(String text) {
        return wrap(text.getBytes(UTF_8));
    }

    /** Unsigned, byte-wise. */
    @Override
    public int compareTo(Bytes other) {
        return compareBytes(other);
    }
}
