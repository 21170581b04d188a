package io.taskmaster.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * What the queues of a family have in common: their group, how their names begin, and how they end. Immutable.
 *
 * @param group empty: whatever the group
 * @param isOpen whether anything may stand between head and tail; no: the head is the name
 */
public record FamilyName(Optional<GroupName> group, Bytes head, boolean isOpen, Bytes tail) {

    /** All queues that have no other family. */
    public static final FamilyName OTHERS = new FamilyName(Optional.empty(), Bytes.EMPTY, true, Bytes.EMPTY);

    /** A name that nothing may stand in is a head without a tail, however it was cut. */
    public FamilyName {
        if (!isOpen && !tail.isEmpty()) {
            byte[] name = Arrays.copyOf(head.unsafeArray(), head.size() + tail.size());
            System.arraycopy(tail.unsafeArray(), 0, name, head.size(), tail.size());
            head = Bytes.wrap(name);
            tail = Bytes.EMPTY;
        }
    }

    /** The name in its group, as people write it: {@code fetch/*}, {@code *.fetch}, {@code seen}. */
    @Override
    public String toString() {
        return head + (isOpen ? "*" : "") + tail;
    }
}
