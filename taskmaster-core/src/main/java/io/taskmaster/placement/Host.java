package io.taskmaster.placement;

import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;

/**
 * A node while a decision is made, with the sums over its partitions. Single-threaded: owned by a {@link WorkingMap}.
 */
final class Host {

    private final NodeRef node;
    private final Optional<ClusterMember> member;
    private final boolean drained;
    private final BitSet partitions = new BitSet();
    private double load;
    private double knownLoad;
    private long queues;
    private long memoryBytes;
    private int inMotion;
    private int departing;

    /** A node that the map names and that is no member any more has none. */
    Host(NodeRef node, Optional<ClusterMember> member, boolean drained) {
        this.node = node;
        this.member = member;
        this.drained = drained;
    }

    NodeRef node() {
        return node;
    }

    String id() {
        return node.id();
    }

    /** Returns the partitions that the node owns; those that it only serves until a move is done are not among them. */
    BitSet partitions() {
        return partitions;
    }

    int count() {
        return partitions.cardinality();
    }

    /** Returns the number of planned moves to or from this node. */
    int inMotion() {
        return inMotion;
    }

    /** Returns the number of planned moves from this node. */
    int departing() {
        return departing;
    }

    boolean isDrained() {
        return drained;
    }

    boolean isIn(ClusterMember.State state) {
        return member.filter(known -> known.state() == state).isPresent();
    }

    /** Returns true if it can serve. */
    boolean isAlive() {
        return member.filter(ClusterMember::isAlive).isPresent();
    }

    /** Returns true if planned moves may bring partitions here. */
    boolean isWilling() {
        return isIn(ClusterMember.State.SERVING) && !drained;
    }

    /** Returns true if it serves, and is to have nothing. */
    boolean isEmptying() {
        return isIn(ClusterMember.State.LEAVING) || (drained && isAlive());
    }

    Duration inState() {
        return member.map(ClusterMember::inState).orElse(Duration.ZERO);
    }

    double capacity() {
        return member.map(known -> known.capacity().load()).orElse(1.0);
    }

    /** Returns the load as a share of the capacity. */
    double utilisation() {
        return load / capacity();
    }

    /** Returns the part of the utilisation that was measured for long enough to be a reason for a move. */
    double knownUtilisation() {
        return knownLoad / capacity();
    }

    /** Returns the utilisation with a partition more, or less. */
    double utilisationWith(double more) {
        return (load + more) / capacity();
    }

    /** Returns true if the hard limits leave room for a partition. */
    boolean hasRoomFor(Weight weight) {
        return member.filter(
                        known -> queues + weight.queues() <= known.capacity().queues()
                                && memoryBytes + weight.memoryBytes()
                                        <= known.capacity().memoryBytes())
                .isPresent();
    }

    /** Returns how many partitions more a process as young as this one may have: 1 at first, then 2, 4, 8 more. */
    int slowStartRoom(Duration step) {
        long steps = inState().dividedBy(step);
        return steps >= 30 ? Integer.MAX_VALUE : (2 << (int) steps) - 1 - count();
    }

    void add(int partition, Weight weight) {
        partitions.set(partition);
        count(weight, 1);
    }

    void remove(int partition, Weight weight) {
        partitions.clear(partition);
        count(weight, -1);
    }

    private void count(Weight weight, int sign) {
        load += sign * weight.load();
        knownLoad += weight.isKnown() ? sign * weight.load() : 0;
        queues += sign * weight.queues();
        memoryBytes += sign * weight.memoryBytes();
    }

    void arrives(int change) {
        inMotion += change;
    }

    void departs(int change) {
        inMotion += change;
        departing += change;
    }

    /**
     * The weight of a partition.
     *
     * @param load its load, measured or assumed, and that of a partition without work
     * @param isKnown true if it was measured for long enough
     * @param queues the number of its queues
     * @param memoryBytes the bytes that it holds in memory
     */
    record Weight(double load, boolean isKnown, long queues, long memoryBytes) {}
}
