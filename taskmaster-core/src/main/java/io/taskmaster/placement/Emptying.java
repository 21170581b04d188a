package io.taskmaster.placement;

import io.taskmaster.placement.Move.Cause;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The nodes that are to be empty: those that leave, and those that operators drain. Their partitions go to the least
 * loaded nodes, some at a time, and no cool-down holds them up. This is what happens most: planned ends are far more
 * frequent than failures (Shard Manager, SOSP 2021). Single-threaded.
 */
record Emptying(WorkingMap map) {

    void decide() {
        // A node that leaves has a deadline; one that is drained has not.
        List<Host> emptying = map.hosts().stream()
                .filter(host -> host.isEmptying() && host.count() > 0)
                .sorted(Comparator.comparing(Host::isDrained))
                .toList();
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Host host : emptying) {
                moved |= moveOneFrom(host);
            }
        }
        for (Host host : emptying) {
            if (host.count() > 0) {
                map.waitFor("%s %s: %d of its partitions are still to move, %d are moving"
                        .formatted(host.id(), state(host), host.count(), host.departing()));
            }
        }
    }

    private boolean moveOneFrom(Host host) {
        if (map.motionLeft() <= 0 || host.departing() >= map.policy().motion().draining()) {
            return false;
        }
        // Without room for one partition there may be room for a smaller one.
        OptionalInt next = host.partitions().stream()
                .filter(partition -> map.from(partition).isEmpty())
                .filter(partition -> target(partition).isPresent())
                .findFirst();
        next.ifPresent(partition -> {
            Host to = target(partition).orElseThrow();
            String reason = "%s %s; %s".formatted(host.id(), state(host), map.loadInWords(to));
            map.move(partition, to, Cause.DRAIN, reason);
        });
        return next.isPresent();
    }

    private Optional<Host> target(int partition) {
        double load = map.weight(partition).load();
        return map.willing().stream()
                .filter(host -> map.admits(host, partition))
                .min(Comparator.comparingInt((Host host) -> map.siblingsOn(host, partition))
                        .thenComparing(host -> host.slowStartRoom(map.policy().slowStart()) <= 0)
                        .thenComparingDouble(host -> host.utilisationWith(load)));
    }

    private static String state(Host host) {
        return host.isDrained() ? "is drained" : "leaves";
    }
}
