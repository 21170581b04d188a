package io.taskmaster.placement;

import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.placement.Host.Weight;
import io.taskmaster.placement.Move.Cause;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The partitions that no node serves: all of them before the first map, and those of nodes that are gone. They are
 * placed in one change of the map, outside of the bounds of planned moves.
 *
 * <p>A node that comes back as another incarnation gets back what it had. The partitions of one that does not are
 * spread over all others, heaviest first, each to the node with the most room; no node gets more than twice its share
 * of them, and a cold one fewer, for each takes time to open. If many nodes are silent at once, the fault may be the
 * controller's, which then waits. Single-threaded.
 */
record Rescue(WorkingMap map) {

    /** The multiple of its share that a node gets at most of the partitions of dead nodes. */
    private static final int MOST_OF_SHARE = 2;

    /** Gives nodes that are back as another incarnation what they had. */
    void restart() {
        lost().forEach(this::restart);
    }

    /** Places everything that has no owner, or one that is gone. */
    void place() {
        if (map.isPlaced()) {
            List<Integer> partitions = lost().stream()
                    .flatMap(host -> host.partitions().stream().boxed())
                    .toList();
            spread(partitions, Cause.DEATH, partition -> {
                Host owner = map.owner(partition);
                return "%s %s".formatted(owner.node().ownerName(), owner.isIn(State.DEAD) ? "is dead" : "has ended");
            });
        } else {
            List<Integer> all = IntStream.range(0, map.size()).boxed().toList();
            spread(all, Cause.FIRST, partition -> "first map");
        }
    }

    private List<Host> lost() {
        return map.hosts().stream().filter(Rescue::isLost).toList();
    }

    private static boolean isLost(Host host) {
        return !host.isAlive() && host.count() > 0;
    }

    private void restart(Host lost) {
        Duration silence = Duration.between(map.lastSeen(lost), map.now());
        Optional<Host> successor = map.member(lost.id())
                .filter(host -> host.isWilling() || (host.isIn(State.JOINING) && !host.isDrained()));
        if (successor.isPresent() && silence.compareTo(map.policy().deaths().restart()) <= 0) {
            String reason = "restarted as " + successor.get().node().ownerName();
            for (int partition : lost.partitions().stream().toArray()) {
                // If the node before still serves it, it goes on: see Settling.
                if (map.from(partition).filter(Host::isAlive).isEmpty()) {
                    map.move(partition, successor.get(), Cause.RESTART, reason);
                }
            }
        }
    }

    /** Returns true if many nodes are silent, and not for long enough yet: then nothing is to move. */
    boolean isPatient() {
        PlacementPolicy.Deaths deaths = map.policy().deaths();
        List<Host> silent =
                lost().stream().filter(host -> host.isIn(State.DEAD)).toList();
        long nodes = silent.size() + map.hosts().stream().filter(Host::isAlive).count();
        Duration enough = deaths.patience().multipliedBy(deaths.manyPatience());
        if (silent.size() < 2
                || silent.size() <= deaths.many() * nodes
                || silent.stream().allMatch(host -> host.inState().compareTo(enough) >= 0)) {
            return false;
        }
        map.waitFor("%d of %d nodes are silent, %s: nothing moves before they have been so for %d s"
                .formatted(
                        silent.size(),
                        nodes,
                        silent.stream().map(Host::id).collect(Collectors.joining(", ")),
                        enough.toSeconds()));
        return true;
    }

    private void spread(List<Integer> partitions, Cause cause, IntFunction<String> reason) {
        if (partitions.isEmpty()) {
            return;
        }
        List<Host> hosts = candidates();
        if (hosts.isEmpty()) {
            map.waitFor("%d partitions have no owner: no node serves".formatted(partitions.size()));
            return;
        }
        Map<Host, Integer> limits = limits(hosts, partitions.size(), cause);
        Comparator<Integer> heaviestFirst =
                Comparator.comparingDouble(partition -> -map.weight(partition).load());
        for (int partition : partitions.stream().sorted(heaviestFirst).toList()) {
            Weight weight = map.weight(partition);
            Host to = hosts.stream()
                    .min(Comparator.comparing((Host host) -> !host.hasRoomFor(weight))
                            .thenComparingInt(host -> map.siblingsOn(host, partition))
                            .thenComparing(host -> host.count() >= limits.getOrDefault(host, 0))
                            .thenComparingDouble(host -> host.utilisationWith(weight.load())))
                    .orElseThrow();
            map.move(partition, to, cause, reason.apply(partition));
        }
    }

    /** Returns up to how many partitions each node is to have, as long as others may have more. */
    private Map<Host, Integer> limits(List<Host> hosts, int partitions, Cause cause) {
        double capacity = hosts.stream().mapToDouble(Host::capacity).sum();
        Duration slowStart = map.policy().slowStart();
        Map<Host, Integer> limits = new HashMap<>();
        for (Host host : hosts) {
            int most = (int) Math.ceil(MOST_OF_SHARE * partitions * host.capacity() / capacity);
            // Before the first map all nodes are cold, and no partition is served.
            limits.put(
                    host, host.count() + (cause == Cause.FIRST ? most : Math.min(most, host.slowStartRoom(slowStart))));
        }
        return limits;
    }

    /** Returns the nodes to choose from: an unwilling one only if no other serves, a joining one only as the last. */
    private List<Host> candidates() {
        List<Host> willing = map.willing();
        if (!willing.isEmpty()) {
            return willing;
        }
        List<Host> serving =
                map.hosts().stream().filter(host -> host.isIn(State.SERVING)).toList();
        return !serving.isEmpty()
                ? serving
                : map.hosts().stream().filter(host -> host.isIn(State.JOINING)).toList();
    }
}
