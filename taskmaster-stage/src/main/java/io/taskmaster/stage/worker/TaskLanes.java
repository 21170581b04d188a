package io.taskmaster.stage.worker;

import io.taskmaster.stage.KeyRule;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.worker.task.InFlightTask;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The queue of tasks that wait for a handler. The tasks of one key form a lane, in the order of their arrival. Each
 * lane has a number of places and a rate, as the stage's {@link KeyRule} says. Lanes are served round-robin.
 *
 * <pre>{@code
 * state  | event                                       | next   | effect
 * OPEN   | its task is taken, more wait, places left   | OPEN   | to the end of the round-robin queue
 * OPEN   | the same, but its rate holds the next back  | SLOW   | to the queue ordered by time
 * OPEN   | its last task or last place is taken        | CLOSED | in no queue
 * OPEN   | its last task is removed                    | CLOSED | leaves the queue; likewise if SLOW
 * SLOW   | its time has come                           | OPEN   | to the end of the round-robin queue
 * CLOSED | a task waits and there is a place           | OPEN   | or SLOW, if its rate says so
 * }</pre>
 *
 * <p>A lane whose tasks would take the permits of other keys releases its last ones, and releases those that arrive
 * within a period from then on. All of them can be leased again at the same time, so their order stays. The period is
 * doubled each time unless the lane ran empty meanwhile, else halved; between {@link #MIN_CLOSED} and
 * {@link #MAX_CLOSED}.
 *
 * <p>Single-threaded: owned by a stage runner.
 */
final class TaskLanes<T> {

    /** The first, the shortest and the longest period for which a lane releases what arrives. */
    static final Duration FIRST_CLOSED = Duration.ofMillis(50);

    static final Duration MIN_CLOSED = Duration.ofMillis(10);

    static final Duration MAX_CLOSED = Duration.ofSeconds(10);

    private final class Lane {
        final Deque<InFlightTask<T>> waiting = new ArrayDeque<>();
        final Optional<Pace> pace;
        int places = rule.atOnce();
        boolean isInQueue;

        /** The end of the period by the server's clock; absent if there has been none. */
        Optional<Instant> closedUntil = Optional.empty();

        /** The end of the period by the worker's monotonic clock. */
        long reopensNanos = base;

        Duration closed = FIRST_CLOSED;

        /** True if the lane was empty at some time since its last period began. */
        boolean wasEmptied;

        Lane(long nowNanos) {
            this.pace = rule.rate().map(rate -> new Pace(rate, nowNanos));
        }

        void close(Instant serverTime, long nowNanos) {
            if (closedUntil.isPresent()) {
                Duration next = wasEmptied ? closed.dividedBy(2) : closed.multipliedBy(2);
                closed = Collections.max(List.of(MIN_CLOSED, Collections.min(List.of(MAX_CLOSED, next))));
            }
            // The server stores milliseconds.
            closedUntil = Optional.of(serverTime.plus(closed).truncatedTo(ChronoUnit.MILLIS));
            reopensNanos = nowNanos + closed.toNanos();
            wasEmptied = false;
        }

        /**
         * Returns whether the lane equals a new one, except for what it has learned about its period; so it may be
         * dropped.
         */
        boolean isIdle(long nowNanos) {
            return waiting.isEmpty()
                    && places == rule.atOnce()
                    && reopensNanos - nowNanos <= 0
                    && pace.map(own -> own.isRested(nowNanos)).orElse(true);
        }

        long opensNanos() {
            return pace.map(Pace::opensNanos).orElse(0L);
        }
    }

    private final KeyRule rule;
    private final Optional<Pace> pace;
    private final Map<String, Lane> lanes = new HashMap<>();
    private final Queue<Lane> open = new ArrayDeque<>();
    private final PriorityQueue<Lane> slow;
    private final long base;
    private int waiting;

    /** The number of lanes beyond which the idle ones are dropped. */
    private int sweepAt = 1_024;

    /**
     * Creates the lanes of a stage.
     *
     * @param rate the rate limit of all lanes together
     */
    TaskLanes(KeyRule rule, Optional<Rate> rate, long nowNanos) {
        this.rule = rule;
        this.base = nowNanos;
        // Monotonic times may overflow, so they are compared by their distance from a common base.
        this.slow = new PriorityQueue<>(Comparator.comparingLong(lane -> lane.opensNanos() - nowNanos));
        this.pace = rate.map(limit -> new Pace(limit, nowNanos));
    }

    /** The number of tasks that wait. */
    int size() {
        return waiting;
    }

    /** Appends a task to its lane. */
    void add(InFlightTask<T> task, long nowNanos) {
        Lane lane = lanes.computeIfAbsent(task.key(), key -> new Lane(nowNanos));
        lane.waiting.addLast(task);
        waiting++;
        offer(lane, nowNanos);
        sweep(nowNanos);
    }

    /** Puts a task that has a place at the head of its lane, and frees the place. */
    void requeue(InFlightTask<T> task, long nowNanos) {
        // The lane is there: a sweep drops none of which a place is taken.
        Lane lane = lanes.computeIfAbsent(task.key(), key -> new Lane(nowNanos));
        lane.waiting.addFirst(task);
        lane.places++;
        waiting++;
        offer(lane, nowNanos);
    }

    /** Takes the next task that may go to a handler, and a place in its lane for it. Null if none may go at present. */
    @Nullable
    InFlightTask<T> next(long nowNanos) {
        for (Lane lane = slow.peek(); lane != null && lane.opensNanos() - nowNanos <= 0; lane = slow.peek()) {
            open.add(slow.remove());
        }
        if (open.isEmpty() || !pace.map(all -> all.isOpen(nowNanos)).orElse(true)) {
            return null;
        }
        Lane lane = open.remove();
        lane.isInQueue = false;
        InFlightTask<T> task = lane.waiting.removeFirst();
        // A lane that was worked off within its period is given a shorter one next time.
        lane.wasEmptied |= lane.waiting.isEmpty();
        lane.places--;
        waiting--;
        // The rates count the task before the lane is offered again, because its key in the heap must not change while
        // it is there.
        pace.ifPresent(all -> all.passed(nowNanos));
        lane.pace.ifPresent(own -> own.passed(nowNanos));
        offer(lane, nowNanos);
        return task;
    }

    /**
     * Returns the time at which the next task may go without any other event; empty if only the end of another task can
     * let one through.
     */
    OptionalLong opensNanos() {
        if (!open.isEmpty()) {
            return OptionalLong.of(pace.map(Pace::opensNanos).orElse(base));
        }
        Lane next = slow.peek();
        if (next == null) {
            return OptionalLong.empty();
        }
        long own = next.opensNanos();
        long all = pace.map(Pace::opensNanos).orElse(own);
        return OptionalLong.of(all - own > 0 ? all : own);
    }

    /** Frees the place of a task. */
    void onSettled(InFlightTask<T> task, long nowNanos) {
        Lane lane = lanes.get(task.key());
        if (lane != null) {
            lane.places++;
            offer(lane, nowNanos);
        }
    }

    /** Removes a task that waits. */
    void remove(InFlightTask<T> task) {
        Lane lane = lanes.get(task.key());
        if (lane != null && lane.waiting.remove(task)) {
            waiting--;
            // next() takes the first task of a lane in a queue without a check, so no empty lane may stay in one.
            if (lane.waiting.isEmpty() && lane.isInQueue) {
                lane.isInQueue = false;
                open.remove(lane);
                slow.remove(lane);
            }
        }
    }

    /** Removes the tasks of a lane that wait. */
    List<InFlightTask<T>> removeAll(String key) {
        Lane lane = lanes.get(key);
        List<InFlightTask<T>> all = lane == null ? List.of() : List.copyOf(lane.waiting);
        all.forEach(this::remove);
        return all;
    }

    /** Removes all tasks that wait. */
    List<InFlightTask<T>> removeAll() {
        List<InFlightTask<T>> all = new ArrayList<>();
        for (Lane lane : lanes.values()) {
            all.addAll(lane.waiting);
            lane.waiting.clear();
            lane.isInQueue = false;
        }
        open.clear();
        slow.clear();
        waiting = 0;
        return all;
    }

    /** Returns whether tasks wait and every one is held back by its key. */
    boolean areBlocked() {
        return waiting > 0 && open.isEmpty();
    }

    /** Returns the end of the last period in which a lane released what arrives, by the server's clock. */
    Optional<Instant> closedUntil(String key) {
        Lane lane = lanes.get(key);
        return lane == null ? Optional.empty() : lane.closedUntil;
    }

    /**
     * Removes the tasks beyond the share of their lanes, and begins a period for these lanes.
     *
     * @param permits the permits to share: one share for each lane with tasks, and one for other keys
     * @param serverTime the present time by the server's clock
     * @return the removed tasks, each with the end of the period of its lane
     */
    Map<InFlightTask<T>, Instant> removeCrowd(
            int permits, Function<InFlightTask<T>, Instant> serverTime, long nowNanos) {
        Map<InFlightTask<T>, Instant> crowd = new LinkedHashMap<>();
        int used = (int)
                lanes.values().stream().filter(lane -> !lane.waiting.isEmpty()).count();
        // A share is one task at least, so no lane becomes empty here, and none has to leave a queue.
        int share = Math.max(1, permits / (1 + used));
        for (Lane lane : lanes.values()) {
            if (lane.waiting.size() > share) {
                lane.close(serverTime.apply(lane.waiting.getLast()), nowNanos);
            }
            // The last ones go. Those that stay come before them, so the order within the key survives their next
            // lease.
            while (lane.waiting.size() > share) {
                crowd.put(lane.waiting.removeLast(), lane.closedUntil.orElseThrow());
                waiting--;
            }
        }
        return crowd;
    }

    private void offer(Lane lane, long nowNanos) {
        if (lane.isInQueue || lane.waiting.isEmpty() || lane.places <= 0) {
            return;
        }
        lane.isInQueue = true;
        if (lane.pace.map(own -> own.isOpen(nowNanos)).orElse(true)) {
            open.add(lane);
        } else {
            slow.add(lane);
        }
    }

    /**
     * Drops idle lanes. The threshold doubles with the lanes that stay, so a sweep looks at no more lanes than were
     * added since the last one: amortized O(1).
     */
    private void sweep(long nowNanos) {
        if (lanes.size() <= sweepAt) {
            return;
        }
        lanes.values().removeIf(lane -> lane.isIdle(nowNanos));
        sweepAt = Math.max(1_024, 2 * lanes.size());
    }
}
