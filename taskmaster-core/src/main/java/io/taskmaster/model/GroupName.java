package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The name of a consistency group, the unit of atomicity (paper section 3.4). The empty name is that of the default
 * group. Immutable.
 */
public final class GroupName extends ByteSequence implements Comparable<GroupName> {

    /** The name of the default group. */
    public static final GroupName EMPTY = new GroupName(new byte[0]);

    private GroupName(byte[] bytes) {
        super(bytes);
    }

    /** Copies the bytes. */
    public static GroupName copyOf(byte[] bytes) {
        return new GroupName(bytes.clone());
    }

    /** Wraps the array without a copy. The caller must not change it any more. */
    public static GroupName wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new GroupName(bytes);
    }

    /** Returns the UTF-8 bytes of a text. */
    public static GroupName of(String text) {
        return wrap(text.getBytes(UTF_8));
    }

    /** Compares the bytes as unsigned numbers; a prefix comes first. */
    @Override
    public int compareTo(GroupName other) {
        return compareBytes(other);
    }
}
