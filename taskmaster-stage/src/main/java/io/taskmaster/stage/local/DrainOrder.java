package io.taskmaster.stage.local;

import io.taskmaster.stage.local.BlockingCycle.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which stages are drained: each after those that hand events on to it. Single-threaded: owned by its
 * caller.
 *
 * <p>Among the stages that no remaining stage hands on to, the one that was added last is next. If there is none, the
 * remaining ones form circles. Then a stage is next that gets events only from stages which also get its own, so that
 * no stage outside its circle still hands on to the circle; of several, the one that was added last.
 */
final class DrainOrder {

    /** The remaining stages, last added first, each with the stages that hand on to it. */
    private final Map<String, Set<String>> upstreams = new LinkedHashMap<>();

    private DrainOrder(Map<String, Place> places) {
        List.copyOf(places.keySet()).reversed().forEach(name -> upstreams.put(name, new LinkedHashSet<>()));
        places.forEach((name, place) -> {
            for (String to : place.next()) {
                Set<String> upstreamsOfNext = upstreams.get(to);
                if (upstreamsOfNext != null && !to.equals(name)) {
                    upstreamsOfNext.add(name);
                }
            }
        });
    }

    /**
     * Returns the names of all stages in that order.
     *
     * @param places the stages in the order in which they were added; names in {@code next} that none of them has are
     *     ignored
     */
    static List<String> of(Map<String, Place> places) {
        DrainOrder remaining = new DrainOrder(places);
        List<String> order = new ArrayList<>();
        while (order.size() < places.size()) {
            order.add(remaining.takeNext());
        }
        return order;
    }

    private String takeNext() {
        String next = upstreams.entrySet().stream()
                .filter(stage -> stage.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(this::firstInCycle);
        upstreams.remove(next);
        upstreams.values().forEach(names -> names.remove(next));
        return next;
    }

    private String firstInCycle() {
        Map<String, Set<String>> upstream = new LinkedHashMap<>();
        upstreams.keySet().forEach(name -> upstream.put(name, upstream(name)));
        return upstream.entrySet().stream()
                .filter(stage -> stage.getValue().stream()
                        .allMatch(upstreamName ->
                                upstream.getOrDefault(upstreamName, Set.of()).contains(stage.getKey())))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /** Returns all stages whose events may reach a stage, directly or through others. */
    private Set<String> upstream(String name) {
        Set<String> found = new LinkedHashSet<>();
        Deque<String> pending = new ArrayDeque<>(List.of(name));
        while (!pending.isEmpty()) {
            upstreams.getOrDefault(pending.remove(), Set.of()).stream()
                    .filter(found::add)
                    .forEach(pending::add);
        }
        return found;
    }
}
