package io.taskmaster.placement;

import io.taskmaster.placement.Move.Cause;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The siblings that share a node while another has fewer of them: after a death, a drain, or the start of a cluster
 * with few nodes. Single-threaded.
 */
record Separation(WorkingMap map) {

    void decide() {
        Set<Integer> all = new TreeSet<>();
        map.policy().siblings().forEach(all::addAll);
        for (int partition : all) {
            if (partition < map.size() && map.isAtRest(partition) && map.motionLeft() > 0) {
                decide(partition);
            }
        }
    }

    private void decide(int partition) {
        Host owner = map.owner(partition);
        int together = map.siblingsOn(owner, partition);
        if (together == 0 || !owner.isWilling() || !map.mayBalance(owner)) {
            return;
        }
        Optional<Host> apart = map.willing().stream()
                .filter(host -> map.admits(host, partition) && map.mayBalanceTo(host))
                .filter(host -> map.siblingsOn(host, partition) < together)
                .min(Comparator.comparingInt((Host host) -> map.siblingsOn(host, partition))
                        .thenComparingDouble(Host::utilisation));
        apart.ifPresent(host -> map.move(
                partition,
                host,
                Cause.SIBLINGS,
                "%d of its siblings are on %s, %d on %s"
                        .formatted(together, owner.id(), map.siblingsOn(host, partition), host.id())));
    }
}
