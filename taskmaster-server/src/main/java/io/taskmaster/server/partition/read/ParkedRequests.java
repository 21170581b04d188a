package io.taskmaster.server.partition.read;

import io.taskmaster.server.engine.command.Decision.Need;
import io.taskmaster.server.partition.commit.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The requests that wait for reads: each is parked on its needs, and is independent of the others. Single-threaded:
 * owned by the partition's loop.
 */
final class ParkedRequests {

    private final Map<Need, List<Request>> byNeed = new HashMap<>();
    private final Consumer<Request> resume;

    /**
     * Creates an empty set.
     *
     * @param resume receives requests whose last need was met, in the order of their arrival
     */
    ParkedRequests(Consumer<Request> resume) {
        this.resume = resume;
    }

    /** Parks a request on a need. Returns true if it is the first on this need, which then has to be read. */
    boolean park(Request request, Need need) {
        List<Request> parked = byNeed.get(need);
        boolean first = parked == null;
        if (parked == null) {
            parked = new ArrayList<>(1);
            byNeed.put(need, parked);
        }
        parked.add(request);
        request.addNeed();
        return first;
    }

    boolean isEmpty() {
        return byNeed.isEmpty();
    }

    List<Request> parkedOn(Need need) {
        return byNeed.getOrDefault(need, List.of());
    }

    /** Resumes the requests without another need: this one is met, or its read has failed. */
    void met(Need need) {
        // Removed first: a request that is resumed may be parked on the same need again.
        List<Request> parked = byNeed.remove(need);
        if (parked == null) {
            return;
        }
        List<Request> ready = new ArrayList<>(parked.size());
        for (Request request : parked) {
            if (request.onNeedMet()) {
                ready.add(request);
            }
        }
        ready.sort(Request.BY_ARRIVAL);
        ready.forEach(resume);
    }

    /** Removes and returns all parked requests, in the order of their arrival. */
    List<Request> drain() {
        List<Request> all = byNeed.values().stream()
                .flatMap(List::stream)
                .distinct()
                .filter(request -> !request.isEnded())
                .sorted(Request.BY_ARRIVAL)
                .toList();
        byNeed.clear();
        return all;
    }
}
