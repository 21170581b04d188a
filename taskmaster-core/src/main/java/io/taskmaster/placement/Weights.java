package io.taskmaster.placement;

import io.taskmaster.placement.Host.Weight;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The weights of all partitions. A load counts when it was measured for long enough; until then the last that did
 * counts, whichever node measured it; and without one, the mean of those that are known. So the load of a partition
 * that has just moved, which starts at zero, moves nothing. Immutable.
 */
final class Weights {

    private final NavigableMap<Integer, PartitionLoad> newest = new TreeMap<>();
    private final NavigableMap<Integer, PartitionLoad> measured;
    private final double idleLoad;
    private final double assumed;

    private Weights(Situation situation, PlacementPolicy policy) {
        Duration enough = policy.balance().minMeasured();
        measured = new TreeMap<>(situation.history().loads());
        for (PartitionLoad load : situation.loads()) {
            PartitionMap map = situation.map();
            if (load.partition() >= map.size() || !map.entry(load.partition()).names(load.servedBy())) {
                continue;
            }
            newest.merge(load.partition(), load, (one, other) -> isOwners(other, map) ? other : one);
        }
        newest.values().stream()
                .filter(load -> load.measuredFor().compareTo(enough) >= 0)
                .forEach(load -> measured.put(load.partition(), load));
        idleLoad = policy.idleLoad();
        OptionalDouble mean =
                measured.values().stream().mapToDouble(PartitionLoad::busy).average();
        assumed = idleLoad + mean.orElse(0);
    }

    static Weights of(Situation situation, PlacementPolicy policy) {
        return new Weights(situation, policy);
    }

    private static boolean isOwners(PartitionLoad load, PartitionMap map) {
        return map.entry(load.partition())
                .owner()
                .filter(load.servedBy()::equals)
                .isPresent();
    }

    /** Returns the loads that the next decision remembers. */
    NavigableMap<Integer, PartitionLoad> measured() {
        return measured;
    }

    /** Returns true if the node says that it serves the partition. */
    boolean isServedBy(int partition, NodeRef node) {
        PartitionLoad load = newest.get(partition);
        return load != null && load.servedBy().equals(node);
    }

    Weight of(int partition) {
        PartitionLoad rate = measured.get(partition);
        PartitionLoad size = newest.getOrDefault(partition, rate);
        return new Weight(
                rate == null ? assumed : idleLoad + rate.busy(),
                rate != null,
                size == null ? 0 : size.queues(),
                size == null ? 0 : size.memoryBytes());
    }
}
