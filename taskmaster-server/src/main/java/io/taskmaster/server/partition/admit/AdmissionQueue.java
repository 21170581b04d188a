package io.taskmaster.server.partition.admit;

import io.taskmaster.server.partition.commit.Request;
import io.taskmaster.server.partition.fair.FairQueue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for admission to a partition. Interactive ones go before bulk ones. Within a class groups are
 * served round-robin, and within a group its callers, each in the order of its requests ({@link FairQueue}); only
 * requests without enqueues may overtake those with enqueues. The node's limit of requests in flight bounds the size.
 * Single-threaded: owned by the partition's loop.
 */
public final class AdmissionQueue {

    /** The number of callers of a partition and class that are distinguished; see docs/limits.md. */
    public static final int MAX_CALLERS = 1_024;

    /** A waiting request, and the start of its wait. */
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

    /**
     * The classes of waiting requests, in the order in which they are served: by priority, and by enqueues, which need
     * dirty memory.
     */
    enum Lane {
        INTERACTIVE,
        INTERACTIVE_WITH_TASKS,
        BULK,
        BULK_WITH_TASKS;

        static Lane of(boolean bulk, boolean addsTasks) {
            if (bulk) {
                return addsTasks ? BULK_WITH_TASKS : BULK;
            }
            return addsTasks ? INTERACTIVE_WITH_TASKS : INTERACTIVE;
        }

        boolean isBulk() {
            return this == BULK || this == BULK_WITH_TASKS;
        }

        boolean addsTasks() {
            return this == INTERACTIVE_WITH_TASKS || this == BULK_WITH_TASKS;
        }
    }

    private static final class LaneQueue {

        /** The waiting requests, in the order of their arrival. */
        final Set<Waiting> waiting = new LinkedHashSet<>();

        /** The last time at which the head had not waited long, or the line was empty. */
        long progressMillis;

        @Nullable
        Waiting first() {
            return waiting.isEmpty() ? null : waiting.iterator().next();
        }
    }

    private final EnumMap<Lane, LaneQueue> laneQueues = new EnumMap<>(Lane.class);
    private final FairQueue<Waiting> interactive = new FairQueue<>(MAX_CALLERS);
    private final FairQueue<Waiting> bulk = new FairQueue<>(MAX_CALLERS);

    AdmissionQueue() {
        for (Lane lane : Lane.values()) {
            laneQueues.put(lane, new LaneQueue());
        }
    }

    private LaneQueue laneQueue(Lane lane) {
        return Objects.requireNonNull(laneQueues.get(lane));
    }

    private FairQueue<Waiting> queue(boolean isBulk) {
        return isBulk ? bulk : interactive;
    }

    boolean isEmpty() {
        return interactive.isEmpty() && bulk.isEmpty();
    }

    boolean isEmpty(Lane lane) {
        return laneQueue(lane).waiting.isEmpty();
    }

    /** Returns true if no request of a class waits. */
    boolean isEmpty(boolean isBulk) {
        return queue(isBulk).isEmpty();
    }

    /** The number of waiting requests. */
    int size() {
        return interactive.size() + bulk.size();
    }

    /** The number of groups with a waiting request; a group with requests of both classes counts twice. */
    int groups() {
        return interactive.waitingGroups() + bulk.waitingGroups();
    }

    void add(Lane lane, Request request, long nowMillis) {
        LaneQueue laneQueue = laneQueue(lane);
        if (laneQueue.waiting.isEmpty()) {
            laneQueue.progressMillis = nowMillis;
        }
        Waiting waiting = new Waiting(request, lane, nowMillis);
        laneQueue.waiting.add(waiting);
        waiting.ticket = queue(lane.isBulk())
                .add(RequestCosts.origin(request), waiting, RequestCosts.of(request.command()), lane.addsTasks());
    }

    /**
     * Takes out the next request of a class; null if there is none. To be followed by {@link #charge}.
     *
     * @param withTasks true if requests with enqueues may be admitted
     */
    @Nullable
    Waiting take(boolean isBulk, boolean withTasks) {
        FairQueue.Ticket<Waiting> ticket = queue(isBulk).take(withTasks);
        if (ticket == null) {
            return null;
        }
        Waiting taken = ticket.element();
        laneQueue(taken.lane).waiting.remove(taken);
        return taken;
    }

    /** Charges the bytes that a request has added to the log to its caller, and at least its estimated cost. */
    void charge(Waiting taken, long logBytes) {
        FairQueue.Ticket<Waiting> ticket = Objects.requireNonNull(taken.ticket);
        queue(taken.lane.isBulk()).charge(ticket, Math.max(ticket.bytes(), logBytes));
    }

    /**
     * The time for which the head of a lane has always been a request that had waited long, as observed at each call.
     *
     * @param thresholdMillis the length of a long wait
     */
    long standingMillis(Lane lane, long nowMillis, long thresholdMillis) {
        LaneQueue laneQueue = laneQueue(lane);
        Waiting first = laneQueue.first();
        if (first == null || nowMillis - first.sinceMillis < thresholdMillis) {
            laneQueue.progressMillis = nowMillis;
        }
        return nowMillis - laneQueue.progressMillis;
    }

    /** Resets the observation of {@link #standingMillis}, as if no request of the lane had waited long until now. */
    void resetStanding(Lane lane, long nowMillis) {
        laneQueue(lane).progressMillis = nowMillis;
    }

    /**
     * Takes out the requests that came to a lane at this time or before it.
     *
     * @param smallSinceMillis the time for requests whose caller has less waiting than an equal part
     */
    List<Request> takeOlderThan(Lane lane, long sinceMillis, long smallSinceMillis) {
        List<Waiting> overdue = new ArrayList<>();
        for (Waiting next : laneQueue(lane).waiting) {
            if (next.sinceMillis > sinceMillis) {
                break;
            }
            overdue.add(next);
        }
        List<Request> taken = new ArrayList<>();
        FairQueue<Waiting> queue = queue(lane.isBulk());
        for (Waiting next : overdue) {
            FairQueue.Ticket<Waiting> ticket = Objects.requireNonNull(next.ticket);
            // Judged one by one, since every removal changes the equal part of the rest.
            if (next.sinceMillis <= smallSinceMillis || !queue.isBelowFairShare(ticket)) {
                laneQueue(lane).waiting.remove(next);
                queue.remove(ticket);
                taken.add(next.request);
            }
        }
        return taken;
    }
}
