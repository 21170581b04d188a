package io.taskmaster.placement;

import java.util.Optional;

/**
 * The place of one partition. The version belongs to the entry: a move changes the version of the partition that moves,
 * and makes nothing newer that stays (Canary, section 3.3). Immutable.
 *
 * @param owner the node that is to serve the partition; empty only in a map without nodes
 * @param from the owner before, which serves on until it has handed the partition over; empty unless a planned move is
 *     under way
 * @param version the version of the map that last changed this entry
 */
public record MapEntry(Optional<NodeRef> owner, Optional<NodeRef> from, long version) {

    public MapEntry {
        if (version < 0) {
            throw new IllegalArgumentException("entry version: %d (expected: not negative)".formatted(version));
        }
        if (from.isPresent() && (owner.isEmpty() || owner.equals(from))) {
            throw new IllegalArgumentException("from: %s (expected: another node than the owner)"
                    .formatted(from.get().ownerName()));
        }
    }

    /** Returns true while a planned move is under way. */
    public boolean isMoving() {
        return from.isPresent();
    }

    /** Returns true if the node owns the partition, or serves it until a planned move is done. */
    public boolean names(NodeRef node) {
        return owner.filter(node::equals).isPresent()
                || from.filter(node::equals).isPresent();
    }
}
