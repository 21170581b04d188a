package io.taskmaster.placement;

import io.taskmaster.placement.Host.Weight;
import io.taskmaster.placement.Move.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The map while a decision is made: the moves so far, and what they leave room for. Single-threaded: owned by one call
 * of {@link Placement#decide}.
 */
final class WorkingMap {

    private final PartitionMap before;
    private final Instant now;
    private final PlacementPolicy policy;
    private final PlacementHistory history;
    private final Weights weights;
    private final NavigableMap<NodeRef, Host> hosts = new TreeMap<>();
    private final Weight[] weight;
    private final @Nullable Host[] owner;
    private final @Nullable Host[] from;
    private final List<Set<Integer>> siblings = new ArrayList<>();
    private final NavigableMap<Integer, Instant> movedAt;
    private final NavigableMap<NodeRef, Instant> failed;
    private final List<Move> moves = new ArrayList<>();
    private final List<String> waits = new ArrayList<>();
    private int inMotion;

    WorkingMap(Situation situation, Set<String> drained, PlacementPolicy policy) {
        this.before = situation.map();
        this.now = situation.now();
        this.policy = policy;
        this.history = situation.history();
        this.weights = Weights.of(situation, policy);
        this.movedAt = new TreeMap<>(history.movedAt());
        this.failed = new TreeMap<>(history.failed());
        for (ClusterMember member : situation.members()) {
            NodeRef node = member.node();
            hosts.put(node, new Host(node, Optional.of(member), drained.contains(node.id())));
        }
        for (NodeRef node : before.nodes()) {
            hosts.computeIfAbsent(node, gone -> new Host(gone, Optional.empty(), drained.contains(gone.id())));
        }
        int partitions = before.size();
        weight = new Weight[partitions];
        owner = new Host[partitions];
        from = new Host[partitions];
        for (int partition = 0; partition < partitions; partition++) {
            weight[partition] = weights.of(partition);
            siblings.add(new HashSet<>());
            MapEntry entry = before.entry(partition);
            put(partition, host(entry.owner()), host(entry.from()));
        }
        for (Set<Integer> set : policy.siblings()) {
            set.stream()
                    .filter(one -> one < partitions)
                    .forEach(one -> siblings.get(one).addAll(set));
        }
    }

    private @Nullable Host host(Optional<NodeRef> node) {
        return node.map(hosts::get).orElse(null);
    }

    int size() {
        return owner.length;
    }

    Instant now() {
        return now;
    }

    PlacementPolicy policy() {
        return policy;
    }

    PlacementHistory history() {
        return history;
    }

    /** Returns all members, and all nodes that the map names, in order. */
    List<Host> hosts() {
        return List.copyOf(hosts.values());
    }

    Optional<Host> member(String id) {
        return hosts.values().stream()
                .filter(host -> host.id().equals(id) && host.isAlive())
                .findFirst();
    }

    List<Host> willing() {
        return hosts.values().stream().filter(Host::isWilling).toList();
    }

    boolean isPlaced() {
        return owner[0] != null;
    }

    Host owner(int partition) {
        return Objects.requireNonNull(owner[partition], "owner");
    }

    Optional<Host> from(int partition) {
        return Optional.ofNullable(from[partition]);
    }

    Weight weight(int partition) {
        return weight[partition];
    }

    boolean isServedBy(int partition, Host host) {
        return weights.isServedBy(partition, host.node());
    }

    /** Returns the load of all willing nodes as a share of their capacity. */
    double mean() {
        double load = 0;
        double capacity = 0;
        for (Host host : willing()) {
            load += host.utilisation() * host.capacity();
            capacity += host.capacity();
        }
        return capacity == 0 ? 0 : load / capacity;
    }

    /** Returns the number of partitions that a node would have if they went by capacity alone. */
    double share(Host host) {
        return size()
                * host.capacity()
                / willing().stream().mapToDouble(Host::capacity).sum();
    }

    /** Returns how many siblings of a partition a node has, the partition itself not counted. */
    int siblingsOn(Host host, int partition) {
        return (int) siblings.get(partition).stream()
                .filter(sibling -> sibling != partition && host.partitions().get(sibling))
                .count();
    }

    /** Returns how many planned moves may begin. */
    int motionLeft() {
        return policy.motion().atOnce(size()) - inMotion;
    }

    boolean isInMotion() {
        return inMotion > 0;
    }

    /** Returns the time since the last planned move of a partition; a move of which nothing is known begins now. */
    Duration sinceMove(int partition) {
        return Duration.between(movedAt.getOrDefault(partition, now), now);
    }

    /** Returns true if a partition rests, neither under way nor moved a short time ago. */
    boolean isAtRest(int partition) {
        return from[partition] == null
                && (!movedAt.containsKey(partition)
                        || sinceMove(partition).compareTo(policy.motion().coolDown()) >= 0);
    }

    /**
     * Returns true if a planned move may bring a partition to a node: it is willing, has not failed to take one over
     * lately, and has room.
     */
    boolean admits(Host host, int partition) {
        return host.isWilling()
                && !host.partitions().get(partition)
                && !failed.containsKey(host.node())
                && host.hasRoomFor(weight[partition]);
    }

    /** Returns true if moves that could wait may concern a node now. */
    boolean mayBalance(Host host) {
        return host.inMotion() < policy.motion().perNode();
    }

    /** Returns true if moves that could wait may bring a partition to a node now. */
    boolean mayBalanceTo(Host host) {
        return mayBalance(host) && host.slowStartRoom(policy.slowStart()) > 0;
    }

    /** Returns the load of a node in words, compared with the mean. */
    String loadInWords(Host host) {
        double mean = mean();
        return "%s has %.2f of the mean load".formatted(host.id(), mean == 0 ? 0 : host.utilisation() / mean);
    }

    /** Gives a partition to another node. If the move is planned, the node that serves it serves on. */
    void move(int partition, Host to, Cause cause, String reason) {
        Host last = owner[partition];
        Host serving = from[partition] == null ? last : from[partition];
        put(partition, to, cause.isPlanned() && serving != to ? serving : null);
        if (cause.isPlanned()) {
            movedAt.put(partition, now);
        }
        Optional<NodeRef> left = Optional.ofNullable(last).map(Host::node);
        moves.add(new Move(now, partition, left, to.node(), cause, reason));
    }

    /** Ends a planned move: the owner serves. */
    void settle(int partition) {
        put(partition, owner[partition], null);
    }

    /** Notes that a node has not taken a partition over: for a while no planned move goes there. */
    void failed(Host host) {
        failed.put(host.node(), now);
    }

    /** Notes in words why something is not done yet. */
    void waitFor(String words) {
        waits.add(words);
    }

    private void put(int partition, @Nullable Host nextOwner, @Nullable Host nextFrom) {
        Host lastOwner = owner[partition];
        Host lastFrom = from[partition];
        if (lastOwner != null) {
            lastOwner.remove(partition, weight[partition]);
        }
        if (lastOwner != null && lastFrom != null) {
            lastOwner.arrives(-1);
            lastFrom.departs(-1);
            inMotion--;
        }
        owner[partition] = nextOwner;
        from[partition] = nextFrom;
        if (nextOwner != null) {
            nextOwner.add(partition, weight[partition]);
        }
        if (nextOwner != null && nextFrom != null) {
            nextOwner.arrives(1);
            nextFrom.departs(1);
            inMotion++;
        }
    }

    List<Move> moves() {
        return moves;
    }

    List<String> waits() {
        return waits;
    }

    /** Returns the map from now on: the one before, or its successor in which only what changed has a new version. */
    PartitionMap result() {
        List<MapEntry> entries = new ArrayList<>(size());
        boolean changed = false;
        for (int partition = 0; partition < size(); partition++) {
            MapEntry old = before.entry(partition);
            MapEntry entry = new MapEntry(node(owner[partition]), node(from[partition]), before.version() + 1);
            boolean same = entry.owner().equals(old.owner()) && entry.from().equals(old.from());
            entries.add(same ? old : entry);
            changed |= !same;
        }
        return changed ? new PartitionMap(before.version() + 1, entries) : before;
    }

    private static Optional<NodeRef> node(@Nullable Host host) {
        return Optional.ofNullable(host).map(Host::node);
    }

    /** Returns the history from now on. */
    PlacementHistory remember(Set<NodeRef> filling, Optional<Instant> levelledAt, boolean levelling) {
        for (int partition = 0; partition < size(); partition++) {
            if (from[partition] != null) {
                movedAt.putIfAbsent(partition, now);
            } else if (isAtRest(partition)) {
                movedAt.remove(partition);
            }
        }
        Duration coolDown = policy.motion().coolDown();
        failed.values().removeIf(at -> Duration.between(at, now).compareTo(coolDown) >= 0);
        NavigableMap<NodeRef, Instant> lastSeen = new TreeMap<>();
        for (Host host : hosts.values()) {
            lastSeen.put(host.node(), lastSeen(host));
        }
        return new PlacementHistory(
                movedAt, weights.measured(), lastSeen, failed, new TreeSet<>(filling), levelledAt, levelling);
    }

    /**
     * Returns the time of the last sign of life. A node that was gone before this controller came counts from now on.
     */
    Instant lastSeen(Host host) {
        if (host.isAlive()) {
            return now;
        }
        return host.isIn(ClusterMember.State.DEAD)
                ? now.minus(host.inState())
                : history.lastSeen().getOrDefault(host.node(), now);
    }
}
