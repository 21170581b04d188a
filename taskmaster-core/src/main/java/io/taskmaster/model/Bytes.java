package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/** An arbitrary byte string: a payload, a stored value, a row key. Immutable. */
public final class Bytes extends ByteSequence implements Comparable<Bytes> {

    /** The empty byte string. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private Bytes(byte[] bytes) {
        super(bytes);
    }

    /** Copies the bytes. */
    public static Bytes copyOf(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /** Wraps the array without a copy. The caller must not change it any more. */
    public static Bytes wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Bytes(bytes);
    }

    /** Returns the UTF-8 bytes of a text. */
    public static Bytes of(String text) {
        return wrap(text.getBytes(UTF_8));
    }

    /** Compares the bytes as unsigned numbers; a prefix comes first. */
    @Override
    public int compareTo(Bytes other) {
        return compareBytes(other);
    }
}
