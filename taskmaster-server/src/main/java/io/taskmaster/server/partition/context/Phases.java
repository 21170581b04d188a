package io.taskmaster.server.partition.context;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The phase of each partition of a node, and the listeners for changes. Thread-safe. */
public final class Phases {

    private final Map<Integer, Phase> partitions = new ConcurrentHashMap<>();
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();

    /** Sets the phase of a partition. */
    public void is(int partition, Phase now) {
        partitions.put(partition, now);
        followers.forEach(Runnable::run);
    }

    /** The number of partitions in a phase. */
    int count(Phase phase) {
        return Collections.frequency(partitions.values(), phase);
    }

    /** The number of partitions in each phase that occurs. */
    public Map<Phase, Integer> counts() {
        Map<Phase, Integer> counts = new EnumMap<>(Phase.class);
        partitions.values().forEach(phase -> counts.merge(phase, 1, Integer::sum));
        return counts;
    }

    /**
     * Registers a listener that is called after each change.
     *
     * @param changed called on the loops; must be short
     */
    public void follow(Runnable changed) {
        followers.add(changed);
    }
}
