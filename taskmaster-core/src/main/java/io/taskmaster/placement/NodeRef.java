package io.taskmaster.placement;

/**
 * One life of a node: owners are incarnations, not names, so that a process which was only paused is never taken for
 * its restarted successor. Ordered by id, then by incarnation as an unsigned number. Immutable.
 *
 * @param id the id of the node, the same in each of its lives
 * @param incarnation 64 bits, drawn by the process when it starts
 * @param address the address at which this incarnation serves, as {@code host:port}
 */
public record NodeRef(String id, long incarnation, String address) implements Comparable<NodeRef> {

    private static final char SEPARATOR = '#';

    public NodeRef {
        if (id.isEmpty() || id.indexOf(SEPARATOR) >= 0) {
            throw new IllegalArgumentException("node id: %s (expected: not empty, without #)".formatted(id));
        }
    }

    /** Returns the name of this incarnation as an owner: the id, {@code #}, and 16 hexadecimal digits. */
    public String ownerName() {
        return "%s%c%016x".formatted(id, SEPARATOR, incarnation);
    }

    /** Returns true for another life of the same node. */
    public boolean isOtherLifeOf(NodeRef other) {
        return id.equals(other.id) && incarnation != other.incarnation;
    }

    @Override
    public int compareTo(NodeRef other) {
        int byId = id.compareTo(other.id);
        if (byId != 0) {
            return byId;
        }
        int byIncarnation = Long.compareUnsigned(incarnation, other.incarnation);
        return byIncarnation != 0 ? byIncarnation : address.compareTo(other.address);
    }
}
