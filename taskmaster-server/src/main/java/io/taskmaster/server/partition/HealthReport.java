package io.taskmaster.server.partition;

import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.health.StoreHealth;
import io.taskmaster.server.partition.context.Phase;
import io.taskmaster.server.store.FreeSpace;
import io.taskmaster.server.store.StoreCondition;
import io.taskmaster.server.store.StoreCondition.State;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The health of a node, computed from the phases of its partitions and the condition of its store. Stateless. */
final class HealthReport {

    private HealthReport() {}

    static NodeHealth of(Map<Phase, Integer> phases, StoreCondition store, FreeSpace freeSpace) {
        Map<String, Integer> partitions = new TreeMap<>();
        phases.forEach((phase, count) -> partitions.put(word(phase), count));
        int serving = phases.getOrDefault(Phase.SERVING, 0);
        int hosted = phases.values().stream().mapToInt(Integer::intValue).sum() - phases.getOrDefault(Phase.AWAY, 0);
        return new NodeHealth(
                // A node whose partitions are all elsewhere is well.
                serving > 0 || hosted == 0,
                reason(serving, hosted, store),
                partitions,
                new StoreHealth(word(store.state()), word(freeSpace.level()), store.freeBytes(), store.reopenings()));
    }

    private static String reason(int serving, int hosted, StoreCondition store) {
        if (store.state() != State.OPEN) {
            return "store " + word(store.state()) + ": " + store.reason();
        }
        return serving == hosted ? "" : "%d of %d partitions are serving".formatted(serving, hosted);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
