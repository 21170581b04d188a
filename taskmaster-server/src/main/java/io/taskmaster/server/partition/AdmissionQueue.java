package io.taskmaster.server.partition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait to be let into a partition: interactive ones go before bulk ones, and those of a class in the order of their arrival,
 * except that those which bring no tasks need not wait behind those which do. How many there may be is bounded by what a node has in flight.
 * Single-threaded: owned by the partition's loop.
 */
final class AdmissionQueue {

    private record Waiting(Request request, long untilMillis) {}

    /** Who waits for what. In the order in which classes are served. */
    enum Lane {
        INTERACTIVE,
        INTERACTIVE_WITH_TASKS,
        BULK,
        BULK_WITH_TASKS;

        static Lane of(boolean bulk, boolean bringsTasks) {
            if (bulk) {
                return bringsTasks ? BULK_WITH_TASKS : BULK;
            }
            return bringsTasks ? INTERACTIVE_WITH_TASKS : INTERACTIVE;
        }

        boolean isBulk() {
            return this == BULK || this == BULK_WITH_TASKS;
        }

        boolean bringsTasks() {
            return this == INTERACTIVE_WITH_TASKS || this == BULK_WITH_TASKS;
        }
    }

    private final EnumMap<Lane, Deque<Waiting>> lanes = new EnumMap<>(Lane.class);

    AdmissionQueue() {
        for (Lane lane : Lane.values()) {
            lanes.put(lane, new ArrayDeque<>());
        }
    }

    private Deque<Waiting> in(Lane lane) {
        return Objects.requireNonNull(lanes.get(lane));
    }

    boolean isEmpty() {
        return lanes.values().stream().allMatch(Deque::isEmpty);
    }

    boolean isEmpty(Lane lane) {
        return in(lane).isEmpty();
    }

    /**
     * @param untilMillis when it has waited too long; not before that of those who wait already
     */
    void add(Lane lane, Request request, long untilMillis) {
        in(lane).add(new Waiting(request, untilMillis));
    }

    /** Who came first in a lane; null: nobody waits there. */
    @Nullable
    Request first(Lane lane) {
        Waiting first = in(lane).peek();
        return first == null ? null : first.request;
    }

    /** Takes the first of a lane out. */
    Request take(Lane lane) {
        return in(lane).remove().request;
    }

    /** Takes out who has waited too long. */
    List<Request> expired(long nowMillis) {
        List<Request> over = new ArrayList<>();
        for (Deque<Waiting> lane : lanes.values()) {
            for (Waiting first = lane.peek(); first != null && first.untilMillis <= nowMillis; first = lane.peek()) {
                over.add(lane.remove().request);
            }
        }
        return over;
    }

    /** Empties it. */
    List<Request> drain() {
        return expired(Long.MAX_VALUE);
    }
}
