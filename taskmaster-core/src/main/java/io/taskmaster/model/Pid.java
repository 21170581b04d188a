package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** A PID: at once a task's priority (smallest first) and its identity within its queue (paper section 3.2). Immutable. */
public final class Pid extends ByteSequence implements Comparable<Pid> {

    /** The empty one. */
    public static final Pid EMPTY = new Pid(new byte[0]);

    private Pid(byte[] bytes) {
        super(bytes);
    }

    /** Copies the bytes. */
    public static Pid copyOf(byte[] bytes) {
        return new Pid(bytes.clone());
    }

    /** Takes the bytes over without a copy: the caller never changes them again. */
    public static Pid wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Pid(bytes);
    }

    /** The UTF-8 bytes of a text. */
    public static Pid of(String text) {
        return wrap(text.getBytes(UTF_8));
    }

    /** The smallest PID behind this one. */
    public Pid successor() {
        return new Pid(Arrays.copyOf(unsafeArray(), size() + 1));
    }

    /** Unsigned, byte-wise. */
    @Override
    public int compareTo(Pid other) {
        return compareBytes(other);
    }
}
