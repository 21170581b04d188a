package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The PID of a task: both its priority (smallest first) and its identity within its queue (paper section 3.2).
 * Immutable.
 */
public final class Pid extends ByteSequence implements Comparable<Pid> {

    /** The empty PID, which is the smallest. */
    public static final Pid EMPTY = new Pid(new byte[0]);

    private Pid(byte[] bytes) {
        super(bytes);
    }

    /** Copies the bytes. */
    public static Pid copyOf(byte[] bytes) {
        return new Pid(bytes.clone());
    }

    /** Wraps the array without a copy. The caller must not change it any more. */
    public static Pid wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Pid(bytes);
    }

    /** Returns the UTF-8 bytes of a text. */
    public static Pid of(String text) {
        return wrap(text.getBytes(UTF_8));
    }

    /** Returns the smallest PID that is larger than this one. */
    public Pid successor() {
        return new Pid(Arrays.copyOf(unsafeArray(), size() + 1));
    }

    /** Compares the bytes as unsigned numbers; a prefix comes first. */
    @Override
    public int compareTo(Pid other) {
        return compareBytes(other);
    }
}
