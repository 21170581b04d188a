package io.taskmaster.placement;

import io.taskmaster.placement.ClusterMember.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in virtual time: nodes that open, serve and hand over partitions as the map says, and the controller's view
 * of them. Each decision is checked by {@link DecisionRules}. Single-threaded.
 */
final class VirtualCluster {

    /** The silence after which the controller calls a node dead. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<Move> moves = new ArrayList<>();
    private final NavigableMap<String, Node> nodes = new TreeMap<>();
    private final DecisionRules rules = new DecisionRules();
    private final List<Wish> wishes = new ArrayList<>();
    private final List<Wish.Answer> answers = new ArrayList<>();
    private final double[] work;
    private final Map<List<Long>, Instant> asked = new HashMap<>();
    private PlacementPolicy policy;
    private PartitionMap map;
    private NavigableSet<String> drained = new TreeSet<>();
    private PlacementHistory history = PlacementHistory.EMPTY;
    private @Nullable PlacementDecision last;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long incarnations;
    private Duration handover = Duration.ZERO;

    VirtualCluster(int partitions, PlacementPolicy policy) {
        this.map = PartitionMap.unplaced(partitions, 41);
        this.policy = policy;
        this.work = new double[partitions];
    }

    NodeRef start(String id) {
        return start(id, NodeCapacity.unlimited());
    }

    /** Starts a node, or another life of it; it serves at once. */
    NodeRef start(String id, NodeCapacity capacity) {
        NodeRef node = new NodeRef(id, ++incarnations * 0x9e3779b97f4a7c15L, id + ":7400");
        nodes.put(id, new Node(node, capacity, State.SERVING, now));
        return node;
    }

    /** Starts a node that warms itself before it serves. */
    NodeRef startCold(String id) {
        NodeRef node = start(id);
        become(id, State.JOINING);
        return node;
    }

    void become(String id, State state) {
        Node node = node(id);
        node.state = state;
        node.since = now;
    }

    /** Kills the process; its silence begins. */
    void kill(String id) {
        Node node = node(id);
        node.killedAt = Optional.of(now);
        node.opened.clear();
    }

    /** Lets a process go on that was only paused. */
    void awake(String id) {
        node(id).killedAt = Optional.empty();
        become(id, State.SERVING);
    }

    /** Ends the process in order. */
    void stop(String id) {
        kill(id);
        node(id).killedAt = Optional.empty();
        become(id, State.STOPPED);
    }

    /** Removes the member, as an operator does with a node that never comes back. */
    void forget(String id) {
        nodes.remove(id);
    }

    void wish(Wish wish) {
        wishes.add(wish);
    }

    void work(int partition, double busy) {
        work[partition] = busy;
    }

    void work(double[] busy) {
        System.arraycopy(busy, 0, work, 0, work.length);
    }

    void policy(PlacementPolicy next) {
        policy = next;
    }

    /** Sets the time that a hand-over takes. */
    void handover(Duration time) {
        handover = time;
    }

    /** Lets another controller take over, which knows nothing. */
    void changeController() {
        history = PlacementHistory.EMPTY;
        rules.changeController();
    }

    /** Lets time pass, with a decision each step. */
    void run(Duration time, Duration step) {
        Instant end = now.plus(time);
        while (now.isBefore(end)) {
            now = now.plus(step);
            serve();
            decide();
        }
    }

    void run(Duration time) {
        run(time, Duration.ofSeconds(1));
    }

    /** Decides once, without any time passing. */
    PlacementDecision decide() {
        Situation situation = new Situation(map, members(), drained, loads(), history, wishes, now);
        PlacementDecision decision = Placement.decide(situation, policy);
        rules.check(situation, decision, policy);
        last = decision;
        map = decision.map();
        history = decision.history();
        drained = decision.drained();
        moves.addAll(decision.moves());
        wishes.clear();
        for (Wish.Answer answer : decision.answers()) {
            answers.add(answer);
            if (answer.outcome() == Wish.Outcome.WAITING) {
                wishes.add(answer.wish());
            }
        }
        return decision;
    }

    /** Lets every node follow the map. */
    private void serve() {
        for (int partition = 0; partition < map.size(); partition++) {
            MapEntry entry = map.entry(partition);
            for (Node node : nodes.values()) {
                if (!entry.names(node.ref)) {
                    node.opened.remove(partition);
                }
            }
            Optional<Node> owner = entry.owner().flatMap(this::running);
            Optional<Node> from = entry.from().flatMap(this::running);
            if (owner.isEmpty() || owner.get().opened.containsKey(partition)) {
                continue;
            }
            boolean ready = !owner.get().stuck && !now.isBefore(opensAt(partition, entry.version()));
            if (ready) {
                int closed = partition;
                from.ifPresent(node -> node.opened.remove(closed));
                owner.get().opened.put(partition, now);
            }
        }
    }

    /** Returns the time at which the owner has taken the partition over, counted from the first sight of the order. */
    private Instant opensAt(int partition, long version) {
        return asked.computeIfAbsent(List.of((long) partition, version), first -> now)
                .plus(handover);
    }

    private Optional<Node> running(NodeRef ref) {
        return Optional.ofNullable(nodes.get(ref.id()))
                .filter(node -> node.ref.equals(ref) && node.killedAt.isEmpty() && node.state != State.STOPPED);
    }

    /** Starts nodes, lets them take over everything and measure for a minute, and forgets the moves. */
    void startAndSettle(String... ids) {
        List.of(ids).forEach(this::start);
        run(Duration.ofMinutes(2));
        takeMoves();
    }

    /** Decides on a wish, and returns the answer to it. */
    Wish.Answer answer(Wish wish) {
        wish(wish);
        List<Wish.Answer> all = decide().answers();
        return all.get(all.size() - 1);
    }

    static NodeCapacity capacity(double load, long queues) {
        return new NodeCapacity(load, queues, Long.MAX_VALUE);
    }

    List<ClusterMember> members() {
        return nodes.values().stream().map(node -> node.member(now)).toList();
    }

    private List<PartitionLoad> loads() {
        List<PartitionLoad> loads = new ArrayList<>();
        for (Node node : nodes.values()) {
            node.opened.forEach((partition, opened) -> {
                Duration measured = Duration.between(opened, now);
                // Rates start at zero: half of the truth after half a minute.
                double part = Math.min(1, measured.toSeconds() / 60.0);
                loads.add(new PartitionLoad(partition, node.ref, work[partition] * part, measured, 10, 1_000));
            });
        }
        return loads;
    }

    PartitionMap map() {
        return map;
    }

    PlacementDecision last() {
        return Objects.requireNonNull(last);
    }

    Instant now() {
        return now;
    }

    List<Move> moves() {
        return moves;
    }

    List<Wish.Answer> answers() {
        return answers;
    }

    /** Returns all moves since the last call. */
    List<Move> takeMoves() {
        List<Move> taken = List.copyOf(moves);
        moves.clear();
        return taken;
    }

    List<Integer> partitionsOf(String id) {
        List<Integer> owned = new ArrayList<>();
        for (int partition = 0; partition < map.size(); partition++) {
            if (map.entry(partition)
                    .owner()
                    .filter(node -> node.id().equals(id))
                    .isPresent()) {
                owned.add(partition);
            }
        }
        return owned;
    }

    /** Returns the numbers of partitions of some nodes. */
    List<Integer> counts(String... ids) {
        return List.of(ids).stream().map(id -> partitionsOf(id).size()).toList();
    }

    /** Returns the ids of the owners of some partitions. */
    List<String> owners(Integer... partitions) {
        return List.of(partitions).stream()
                .map(partition -> map.entry(partition).owner().orElseThrow().id())
                .toList();
    }

    /** Returns the load of the busiest willing node as a multiple of the mean, by the true work. */
    double maxOverMean() {
        double[] loads = nodes.values().stream()
                .filter(node -> node.state() == State.SERVING && !drained.contains(node.ref.id()))
                .mapToDouble(node -> partitionsOf(node.ref.id()).stream()
                        .mapToDouble(partition -> work[partition])
                        .sum())
                .toArray();
        return Arrays.stream(loads).max().orElse(0)
                / Arrays.stream(loads).average().orElse(1);
    }

    boolean isMoving() {
        return map.entries().stream().anyMatch(MapEntry::isMoving);
    }

    /** Lets a node take nothing over, though it is alive; or makes it well again. */
    void stuck(String id, boolean stuck) {
        node(id).stuck = stuck;
    }

    private Node node(String id) {
        return Objects.requireNonNull(nodes.get(id));
    }

    /** Returns true if the node serves and takes over what it is given. */
    boolean isWell(String id) {
        return node(id).state() == State.SERVING && !node(id).stuck;
    }

    NodeRef ref(String id) {
        return node(id).ref;
    }

    NavigableMap<String, Node> nodes() {
        return nodes;
    }

    /** A node. */
    static final class Node {

        private final NodeRef ref;
        private final NodeCapacity capacity;
        private final NavigableMap<Integer, Instant> opened = new TreeMap<>();
        private State state;
        private Instant since;
        private Optional<Instant> killedAt = Optional.empty();
        private boolean stuck;

        private Node(NodeRef ref, NodeCapacity capacity, State state, Instant since) {
            this.ref = ref;
            this.capacity = capacity;
            this.state = state;
            this.since = since;
        }

        NodeRef ref() {
            return ref;
        }

        State state() {
            return killedAt.isPresent() ? State.DEAD : state;
        }

        private ClusterMember member(Instant now) {
            Duration silence = killedAt.map(at -> Duration.between(at, now)).orElse(Duration.ZERO);
            if (silence.compareTo(PATIENCE) >= 0) {
                return new ClusterMember(ref, State.DEAD, silence, capacity);
            }
            return new ClusterMember(ref, state, Duration.between(since, now), capacity);
        }
    }
}
