package io.taskmaster.server.partition;

import io.taskmaster.server.partition.fair.FairQueue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait to be let into a partition: interactive ones go before bulk ones; within a class groups are served in turn, and within a group its callers, each in the order of
 * its requests ({@link FairQueue}), except that those which bring no tasks need not wait behind those which do. How many there may be is bounded by what a node has in flight.
 * Single-threaded: owned by the partition's loop.
 */
final class AdmissionQueue {

    /** So many callers of a partition and class are told apart; see docs/limits.md. */
    static final int MAX_CALLERS = 1_024;

    /** A request, and since when it waits. */
    static final class Waiting {

        private final Request request;
        private final Lane lane;
        private final long sinceMillis;
        private FairQueue.@Nullable Ticket<Waiting> ticket;

        private Waiting(Request request, Lane lane, long sinceMillis) {
            this.request = request;
            this.lane = lane;
            this.sinceMillis = sinceMillis;
        }

        Request request() {
            return request;
        }

        Lane lane() {
            return lane;
        }
    }

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

        /** In the order of their arrival. */
        final Set<Waiting> waiting = new LinkedHashSet<>();

        /** When the one that came first was last seen not to have waited for long, or there was nobody. */
        long movingAtMillis;

        @Nullable
        Waiting first() {
            return waiting.isEmpty() ? null : waiting.iterator().next();
        }
    }

    private final EnumMap<Lane, Line> lines = new EnumMap<>(Lane.class);
    private final FairQueue<Waiting> interactive = new FairQueue<>(MAX_CALLERS);
    private final FairQueue<Waiting> bulk = new FairQueue<>(MAX_CALLERS);

    AdmissionQueue() {
        for (Lane lane : Lane.values()) {
            lines.put(lane, new Line());
        }
    }

    private Line line(Lane lane) {
        return Objects.requireNonNull(lines.get(lane));
    }

    private FairQueue<Waiting> queue(boolean ofBulk) {
        return ofBulk ? bulk : interactive;
    }

    boolean isEmpty() {
        return interactive.isEmpty() && bulk.isEmpty();
    }

    boolean isEmpty(Lane lane) {
        return line(lane).waiting.isEmpty();
    }

    /** Whether nothing of a class waits. */
    boolean isEmpty(boolean ofBulk) {
        return queue(ofBulk).isEmpty();
    }

    /** How many wait. */
    int size() {
        return interactive.size() + bulk.size();
    }

    /** How many groups have something waiting; one that has something of both classes counts twice. */
    int groups() {
        return interactive.groupsWaiting() + bulk.groupsWaiting();
    }

    void add(Lane lane, Request request, long nowMillis) {
        Line line = line(lane);
        if (line.waiting.isEmpty()) {
            line.movingAtMillis = nowMillis;
        }
        Waiting waiting = new Waiting(request, lane, nowMillis);
        line.waiting.add(waiting);
        waiting.ticket =
                queue(lane.isBulk()).add(Costs.origin(request), waiting, Costs.of(request.command), lane.bringsTasks());
    }

    /**
     * Takes the next of a class out; null: there is none. To be followed by {@link #charge}.
     *
     * @param withTasks whether those that bring tasks may go in
     */
    @Nullable
    Waiting take(boolean ofBulk, boolean withTasks) {
        FairQueue.Ticket<Waiting> ticket = queue(ofBulk).take(withTasks);
        if (ticket == null) {
            return null;
        }
        Waiting taken = ticket.element();
        line(taken.lane).waiting.remove(taken);
        return taken;
    }

    /** What was taken has added so much to the log. It costs at least what it looked like. */
    void charge(Waiting taken, long logBytes) {
        FairQueue.Ticket<Waiting> ticket = Objects.requireNonNull(taken.ticket);
        queue(taken.lane.isBulk()).charge(ticket, Math.max(ticket.bytes(), logBytes));
    }

    /**
     * For how long the one of a lane that came first has always been somebody who had waited for long, by what was seen at every call.
     *
     * @param longMillis what is long
     */
    long standingMillis(Lane lane, long nowMillis, long longMillis) {
        Line line = line(lane);
        Waiting first = line.first();
        if (first == null || nowMillis - first.sinceMillis < longMillis) {
            line.movingAtMillis = nowMillis;
        }
        return nowMillis - line.movingAtMillis;
    }

    /** As if nobody had waited in a lane for long until now. */
    void startAnew(Lane lane, long nowMillis) {
        line(lane).movingAtMillis = nowMillis;
    }

    /**
     * Takes out who came to a lane at a time or before it.
     *
     * @param smallSinceMillis for those whose caller has less waiting than its part
     */
    List<Request> takeSince(Lane lane, long sinceMillis, long smallSinceMillis) {
        List<Waiting> late = new ArrayList<>();
        for (Waiting next : line(lane).waiting) {
            if (next.sinceMillis > sinceMillis) {
                break;
            }
            late.add(next);
        }
        List<Request> taken = new ArrayList<>();
        FairQueue<Waiting> queue = queue(lane.isBulk());
        for (Waiting next : late) {
            FairQueue.Ticket<Waiting> ticket = Objects.requireNonNull(next.ticket);
            if (next.sinceMillis <= smallSinceMillis || !queue.isBelowPart(ticket)) {
                line(lane).waiting.remove(next);
                queue.remove(ticket);
                taken.add(next.request);
            }
        }
        return taken;
    }
}
