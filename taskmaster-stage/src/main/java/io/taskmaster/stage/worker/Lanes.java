package io.taskmaster.stage.worker;

import io.taskmaster.stage.KeyRule;
import io.taskmaster.stage.Rate;
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
 * Tasks that wait for a handler. Those of one key are in one lane, in the order in which they came; a lane has so many places, and a pace, as
 * the stage's {@link KeyRule} says. Lanes take turns.
 *
 * <pre>
 * a lane is  OPEN     somebody waits, there is a place      in the queue of those that take turns
 *            SLOW     the same, but its pace says not yet   in the queue of those that open with time
 *            CLOSED   nobody waits, or there is no place
 * </pre>
 *
 * A lane whose tasks would take the permits of others gives its last ones back, and is closed for a while to those that come: all of these can be leased again at the same
 * time, so their order stays. The while is doubled as long as the lane is not worked off in it, and halved when it is.
 *
 * <p>Single-threaded: owned by a stage runner.
 */
final class Lanes<T> {

    /** How long a lane is closed for the first time, at least, and at most. */
    static final Duration FIRST_CLOSED = Duration.ofMillis(50);

    static final Duration LEAST_CLOSED = Duration.ofMillis(10);

    static final Duration MOST_CLOSED = Duration.ofSeconds(10);

    private final class Lane {
        final Deque<Held<T>> waiting = new ArrayDeque<>();
        final Optional<Pace> pace;
        int places = rule.atOnce();
        boolean isInQueue;

        /** By the server's clock; absent: it never was closed. */
        Optional<Instant> closedUntil = Optional.empty();

        /** By ours. */
        long opensAgainNanos = base;

        Duration closed = FIRST_CLOSED;

        /** Whether nobody waited at some time since it was closed last. */
        boolean ranDry;

        Lane(long nowNanos) {
            this.pace = rule.rate().map(rate -> new Pace(rate, nowNanos));
        }

        void close(Instant serverTime, long nowNanos) {
            if (closedUntil.isPresent()) {
                Duration next = ranDry ? closed.dividedBy(2) : closed.multipliedBy(2);
                closed = Collections.max(List.of(LEAST_CLOSED, Collections.min(List.of(MOST_CLOSED, next))));
            }
            // The server knows milliseconds.
            closedUntil = Optional.of(serverTime.plus(closed).truncatedTo(ChronoUnit.MILLIS));
            opensAgainNanos = nowNanos + closed.toNanos();
            ranDry = false;
        }

        /** Whether it is as one that nobody has been in yet, but for what was learnt of its speed. */
        boolean isAtRest(long nowNanos) {
            return waiting.isEmpty()
                    && places == rule.atOnce()
                    && opensAgainNanos - nowNanos <= 0
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

    /** Lanes that nobody is in are forgotten when there are more than so many. */
    private int sweepAt = 1_024;

    /**
     * @param rate of all lanes together
     */
    Lanes(KeyRule rule, Optional<Rate> rate, long nowNanos) {
        this.rule = rule;
        this.base = nowNanos;
        this.slow = new PriorityQueue<>(Comparator.comparingLong(lane -> lane.opensNanos() - nowNanos));
        this.pace = rate.map(limit -> new Pace(limit, nowNanos));
    }

    /** How many tasks wait. */
    int size() {
        return waiting;
    }

    /** A task comes last in its lane. */
    void add(Held<T> task, long nowNanos) {
        Lane lane = lanes.computeIfAbsent(task.key(), _ -> new Lane(nowNanos));
        lane.waiting.addLast(task);
        waiting++;
        offer(lane, nowNanos);
        sweep(nowNanos);
    }

    /** A task that has a place gives it up and comes first in its lane. */
    void addAgain(Held<T> task, long nowNanos) {
        Lane lane = lanes.computeIfAbsent(task.key(), _ -> new Lane(nowNanos));
        lane.waiting.addFirst(task);
        lane.places++;
        waiting++;
        offer(lane, nowNanos);
    }

    /** The next task that may go to a handler; it takes a place in its lane. None: nobody may at present. */
    @Nullable
    Held<T> next(long nowNanos) {
        for (Lane lane = slow.peek(); lane != null && lane.opensNanos() - nowNanos <= 0; lane = slow.peek()) {
            open.add(slow.remove());
        }
        if (open.isEmpty() || !pace.map(all -> all.isOpen(nowNanos)).orElse(true)) {
            return null;
        }
        Lane lane = open.remove();
        lane.isInQueue = false;
        Held<T> task = lane.waiting.removeFirst();
        lane.ranDry |= lane.waiting.isEmpty();
        lane.places--;
        waiting--;
        pace.ifPresent(all -> all.passed(nowNanos));
        lane.pace.ifPresent(own -> own.passed(nowNanos));
        offer(lane, nowNanos);
        return task;
    }

    /** When time alone lets the next task through; empty if only another task's end does. */
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

    /** A task that had a place is over. */
    void over(Held<T> task, long nowNanos) {
        Lane lane = lanes.get(task.key());
        if (lane != null) {
            lane.places++;
            offer(lane, nowNanos);
        }
    }

    /** A task does not wait any more. */
    void remove(Held<T> task) {
        Lane lane = lanes.get(task.key());
        if (lane != null && lane.waiting.remove(task)) {
            waiting--;
            if (lane.waiting.isEmpty() && lane.isInQueue) {
                lane.isInQueue = false;
                open.remove(lane);
                slow.remove(lane);
            }
        }
    }

    /** Nobody of a lane waits any more. */
    List<Held<T>> removeAll(String key) {
        Lane lane = lanes.get(key);
        List<Held<T>> all = lane == null ? List.of() : List.copyOf(lane.waiting);
        all.forEach(this::remove);
        return all;
    }

    /** Nobody waits any more. */
    List<Held<T>> removeAll() {
        List<Held<T>> all = new ArrayList<>();
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

    /** Whether tasks wait, and no key lets one of them through. */
    boolean areBlocked() {
        return waiting > 0 && open.isEmpty();
    }

    /** Until when a lane is closed, or was, by the server's clock. */
    Optional<Instant> closedUntil(String key) {
        Lane lane = lanes.get(key);
        return lane == null ? Optional.empty() : lane.closedUntil;
    }

    /**
     * Those that wait beyond the share of their lane do not wait any more, and their lanes are closed.
     *
     * @param permits of which each lane with somebody in it has a share, and one share is for others
     * @param serverTime now, by the server's clock
     * @return with the time until which their lanes are closed
     */
    Map<Held<T>, Instant> removeCrowd(int permits, Function<Held<T>, Instant> serverTime, long nowNanos) {
        Map<Held<T>, Instant> crowd = new LinkedHashMap<>();
        int used = (int)
                lanes.values().stream().filter(lane -> !lane.waiting.isEmpty()).count();
        int share = Math.max(1, permits / (1 + used));
        for (Lane lane : lanes.values()) {
            if (lane.waiting.size() > share) {
                lane.close(serverTime.apply(lane.waiting.getLast()), nowNanos);
            }
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

    /** Each sweep looks at no more lanes than came since the one before. */
    private void sweep(long nowNanos) {
        if (lanes.size() <= sweepAt) {
            return;
        }
        lanes.values().removeIf(lane -> lane.isAtRest(nowNanos));
        sweepAt = Math.max(1_024, 2 * lanes.size());
    }
}
