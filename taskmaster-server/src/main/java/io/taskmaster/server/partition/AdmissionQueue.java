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

    private record Waiting(Request request, long sinceMillis) {}

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

    private static final class Line {

        final Deque<Waiting> waiting = new ArrayDeque<>();

        /** When the first one here was last seen not to have waited for long, or there was nobody. */
        long movingAtMillis;
    }

    private final EnumMap<Lane, Line> lines = new EnumMap<>(Lane.class);

    AdmissionQueue() {
        for (Lane lane : Lane.values()) {
            lines.put(lane, new Line());
        }
    }

    private Line line(Lane lane) {
        return Objects.requireNonNull(lines.get(lane));
    }

    boolean isEmpty() {
        return lines.values().stream().allMatch(line -> line.waiting.isEmpty());
    }

    boolean isEmpty(Lane lane) {
        return line(lane).waiting.isEmpty();
    }

    void add(Lane lane, Request request, long nowMillis) {
        Line line = line(lane);
        if (line.waiting.isEmpty()) {
            line.movingAtMillis = nowMillis;
        }
        line.waiting.add(new Waiting(request, nowMillis));
    }

    /** Who came first in a lane; null: nobody waits there. */
    @Nullable
    Request first(Lane lane) {
        Waiting first = line(lane).waiting.peek();
        return first == null ? null : first.request;
    }

    /** Takes the first of a lane out. */
    Request take(Lane lane) {
        return line(lane).waiting.remove().request;
    }

    /**
     * For how long the first of a lane has always been somebody who had waited for long, by what was seen at every call.
     *
     * @param longMillis what is long
     */
    long standingMillis(Lane lane, long nowMillis, long longMillis) {
        Line line = line(lane);
        Waiting first = line.waiting.peek();
        if (first == null || nowMillis - first.sinceMillis < longMillis) {
            line.movingAtMillis = nowMillis;
        }
        return nowMillis - line.movingAtMillis;
    }

    /** As if nobody had waited in a lane for long until now. */
    void startAnew(Lane lane, long nowMillis) {
        line(lane).movingAtMillis = nowMillis;
    }

    /** Takes out who came to a lane at a time or before it. */
    List<Request> takeSince(Lane lane, long sinceMillis) {
        List<Request> taken = new ArrayList<>();
        Deque<Waiting> waiting = line(lane).waiting;
        for (Waiting first = waiting.peek();
                first != null && first.sinceMillis <= sinceMillis;
                first = waiting.peek()) {
            taken.add(waiting.remove().request);
        }
        return taken;
    }
}
