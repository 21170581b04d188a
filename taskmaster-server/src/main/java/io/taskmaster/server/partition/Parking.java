package io.taskmaster.server.partition;

import io.taskmaster.server.engine.Decision.Need;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Requests that wait for something to be read: each is parked on what it needs, and nobody else waits for it. Single-threaded: owned
 * by the partition's loop.
 */
final class Parking {

    private final Map<Need, List<Request>> byNeed = new HashMap<>();
    private final Consumer<Request> resume;

    /**
     * @param resume takes requests whose last need was met, in the order of their arrival
     */
    Parking(Consumer<Request> resume) {
        this.resume = resume;
    }

    /** True if nobody was parked on it yet: then it has to be read. */
    boolean park(Request request, Need need) {
        List<Request> parked = byNeed.get(need);
        boolean first = parked == null;
        if (parked == null) {
            parked = new ArrayList<>(1);
            byNeed.put(need, parked);
        }
        parked.add(request);
        request.awaited++;
        return first;
    }

    boolean isEmpty() {
        return byNeed.isEmpty();
    }

    List<Request> parkedOn(Need need) {
        return byNeed.getOrDefault(need, List.of());
    }

    /** The need is met, or its reading did not help: those that waited for nothing else try again. */
    void met(Need need) {
        List<Request> parked = byNeed.remove(need);
        if (parked == null) {
            return;
        }
        List<Request> ready = new ArrayList<>(parked.size());
        for (Request request : parked) {
            if (--request.awaited == 0 && !request.over) {
                ready.add(request);
            }
        }
        ready.sort(Comparator.comparingLong(request -> request.number));
        ready.forEach(resume);
    }

    /** Empties it. */
    List<Request> drain() {
        List<Request> all = byNeed.values().stream()
                .flatMap(List::stream)
                .distinct()
                .filter(request -> !request.over)
                .sorted(Comparator.comparingLong(request -> request.number))
                .toList();
        byNeed.clear();
        return all;
    }
}
