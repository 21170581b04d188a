package io.taskmaster.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * The name of a family of queues: their group, and the beginning and the end of their names. Immutable.
 *
 * @param group the group; absent: any group
 * @param head the beginning of the names
 * @param isOpen whether anything may stand between head and tail; if not, the head is the whole name
 * @param tail the end of the names
 */
public record FamilyName(Optional<GroupName> group, Bytes head, boolean isOpen, Bytes tail) {

    /** The family of all queues that belong to no other. */
    public static final FamilyName OTHERS = new FamilyName(Optional.empty(), Bytes.EMPTY, true, Bytes.EMPTY);

    /** Normalizes a closed name: its tail becomes part of the head, so that equal names are equal. */
    public FamilyName {
        if (!isOpen && !tail.isEmpty()) {
            byte[] name = Arrays.copyOf(head.unsafeArray(), head.size() + tail.size());
            System.arraycopy(tail.unsafeArray(), 0, name, head.size(), tail.size());
            head = Bytes.wrap(name);
            tail = Bytes.EMPTY;
        }
    }

    /** Returns the name within its group as users write it: {@code fetch/*}, {@code *.fetch}, {@code seen}. */
    @Override
    public String toString() {
        return head + (isOpen ? "*" : "") + tail;
    }
}
