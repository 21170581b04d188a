package io.taskmaster.placement;

import io.taskmaster.placement.Move.Cause;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * The nodes with far fewer partitions than their share: those that joined, came back, or are drained no more. Balancing
 * would not do: one empty node among a hundred changes the mean by a hundredth.
 *
 * <p>A node is filled from half of its share on, up to {@value #FULL} of its share or of the mean load, with partitions
 * of ordinary weight, taken from the most loaded nodes; a few at first, for its process is cold. Single-threaded.
 */
record Filling(WorkingMap map) {

    private static final double EMPTY = 0.5;
    private static final double FULL = 0.9;

    /** Moves what may move, and returns the nodes that are not full yet. */
    NavigableSet<NodeRef> decide() {
        NavigableSet<NodeRef> filling = new TreeSet<>();
        for (Host host : map.willing()) {
            boolean begun = map.history().filling().contains(host.node());
            if (isBelow(begun ? FULL : EMPTY, host)) {
                fill(host);
            }
            if (isBelow(begun ? FULL : EMPTY, host)) {
                filling.add(host.node());
                map.waitFor("%s is being filled: it has %d of %.0f partitions; %s"
                        .formatted(host.id(), host.count(), map.share(host), map.loadInWords(host)));
            }
        }
        return filling;
    }

    private boolean isBelow(double bound, Host host) {
        return host.count() < bound * map.share(host) && host.utilisation() < FULL * map.mean();
    }

    private void fill(Host host) {
        boolean moved = true;
        while (moved
                && map.motionLeft() > 0
                && isBelow(FULL, host)
                && host.slowStartRoom(map.policy().slowStart()) > 0) {
            moved = moveOneTo(host);
        }
    }

    private boolean moveOneTo(Host host) {
        List<Host> givers = map.willing().stream()
                .filter(giver -> giver != host)
                .sorted(Comparator.comparingDouble((Host giver) -> -giver.utilisation()))
                .toList();
        for (Host giver : givers) {
            OptionalInt partition = choose(giver, host);
            if (partition.isPresent()) {
                String reason = "%s has %d of its %.0f partitions; %s"
                        .formatted(host.id(), host.count(), map.share(host), map.loadInWords(giver));
                map.move(partition.getAsInt(), host, Cause.JOIN, reason);
                return true;
            }
        }
        return false;
    }

    /** Returns the partition whose load is closest to that of each of those that are missing, if one is to move. */
    private OptionalInt choose(Host giver, Host taker) {
        double missing = Math.max(1, map.share(taker) - taker.count());
        double ordinary = (map.mean() - taker.utilisation()) * taker.capacity() / missing;
        Optional<Integer> best = giver.partitions().stream()
                .filter(partition -> map.isAtRest(partition) && map.admits(taker, partition))
                .filter(partition -> map.siblingsOn(taker, partition) <= map.siblingsOn(giver, partition))
                .filter(partition -> {
                    double load = map.weight(partition).load();
                    return taker.utilisationWith(load) <= giver.utilisationWith(-load);
                })
                .boxed()
                .min(Comparator.comparingDouble(
                        partition -> Math.abs(map.weight(partition).load() - ordinary)));
        return best.map(OptionalInt::of).orElse(OptionalInt.empty());
    }
}
