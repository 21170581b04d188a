package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The name of a consistency group, the unit of atomicity (paper section 3.4). The empty one is the default group. Immutable. */
public final class GroupName extends ByteSequence implements Comparable<GroupName> {

    /** The empty one. */
    public static final GroupName EMPTY = new GroupName(new byte[0]);

    private GroupName(byte[] bytes) {
        super(bytes);
    }

    /** Copies the bytes. */
    public static GroupName copyOf(byte[] bytes) {
        return new GroupName(bytes.clone());
    }

    /** Takes the bytes over without a copy: the caller never changes them again. */
    public static GroupName wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new GroupName(bytes);
    }

    /** The UTF-8 bytes of a text. */
    public static GroupName of(String text) {
        return wrap(text.getBytes(UTF_8));
    }

    /** Unsigned, byte-wise. */
    @Override
    public int compareTo(GroupName other) {
        return compareBytes(other);
    }
}
