package io.taskmaster.server.engine.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The index of instants at which leases expire and delays end, in order of time. Single-threaded: owned by the
 * partition's loop.
 *
 * <p>A task has one of two entries here while it waits for its instant:
 *
 * <ul>
 *   <li>In memory it is in the {@link QueueState#timed} set of its queue, and the queue is in {@code queues}, ordered
 *       by the first instant of that set. The index is two-level so that a deleted queue leaves it at once, whatever
 *       the number of its tasks.
 *   <li>Evicted, it is known by its row in the stored index, a <em>hint</em>. A hint is believed only after its task
 *       has been read: it may be stale.
 * </ul>
 *
 * <p>Only the head of the stored index is in memory: the hints before {@code knownUntil}, at most {@code maxHints}.
 * That bound is the position of a row and not an instant, since any number of leases may expire in the same
 * millisecond.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Every stored hint before {@code knownUntil} is in {@code hints}, unless its task is in memory. A null
 *       {@code knownUntil} means that all of the index is known.
 *   <li>{@code firedUntilMillis} never moves back. Everything that waited for an instant up to and including it has
 *       been counted, so {@link QueueState#expired} and {@link QueueState#due} are exact as of that instant. Memory is
 *       bounded, except that all tasks of one instant are in memory before the clock passes it.
 *   <li>{@code hints} has at most {@code maxHints} entries. If it grows beyond, its tail is dropped and
 *       {@code knownUntil} moves back.
 *   <li>{@code queues} is ordered by {@link QueueState#nextFiresMillis}, which changes only while the queue is out of
 *       the set.
 * </ul>
 *
 * <p>Algorithm: {@link #fireNext} takes tasks from memory in order of time, but none later than the <em>horizon</em>,
 * which lies just before the first open hint and just before {@code knownUntil}. When nothing is left,
 * {@link #advancedTo} moves the clock to the horizon. If that falls short of now, the caller has the tasks of the due
 * hints read ({@link #due}), or the head loaded ({@link #loadFrom}), and advances again. See paper section 5.6 and
 * {@code docs/adr/0003-expiry-is-counted-not-written.md}.
 */
final class TimeIndex {

    /** The bound on the hints in memory. */
    static final int MAX_HINTS = 8192;

    private static final Comparator<Task> BY_TIME = (a, b) -> {
        int byTime = Long.compare(a.firesMillis(), b.firesMillis());
        if (byTime != 0) {
            return byTime;
        }
        return a.pid.compareTo(b.pid);
    };

    private static final Comparator<QueueState> BY_NEXT = (a, b) -> {
        int byTime = Long.compare(a.nextFiresMillis, b.nextFiresMillis);
        return byTime != 0 ? byTime : a.key.compareTo(b.key);
    };

    /** Every queue with tasks that wait for an instant. */
    private final TreeSet<QueueState> queues = new TreeSet<>(BY_NEXT);

    final TreeSet<TimeHint> hints = new TreeSet<>();
    private final int maxHints;

    /**
     * Every stored hint before this one is in {@code hints}, unless its task is in memory. Null: every stored hint is.
     */
    private @Nullable TimeHint knownUntil = TimeHint.FIRST;

    private long firedUntilMillis = Long.MIN_VALUE;

    /** The instant that the clock was to reach and has not; {@link Long#MIN_VALUE}: it reached the last one. */
    private long awaitedMillis = Long.MIN_VALUE;

    TimeIndex(int maxHints) {
        this.maxHints = maxHints;
    }

    Collection<TimeHint> hints() {
        return Collections.unmodifiableCollection(hints);
    }

    /** The instant up to and including which everything that waited has been counted. */
    long firedUntil() {
        return firedUntilMillis;
    }

    /** Adds a task in memory that waits for an instant that has not been counted. */
    void add(Task task) {
        QueueState queue = task.queue;
        TreeSet<Task> timed = queue.timed;
        if (timed == null) {
            timed = new TreeSet<>(BY_TIME);
            queue.timed = timed;
        }
        timed.add(task);
        if (timed.first() == task) {
            reindex(queue);
        }
    }

    /** Removes a task, before it changes. */
    void remove(Task task) {
        TreeSet<Task> timed = task.queue.timed;
        if (timed != null) {
            boolean first = timed.first() == task;
            timed.remove(task);
            if (first) {
                reindex(task.queue);
            }
        }
    }

    /** Moves a queue to its place when its first instant may have changed. */
    private void reindex(QueueState queue) {
        TreeSet<Task> timed = queue.timed;
        if (timed != null && !timed.isEmpty() && timed.first().firesMillis() == queue.nextFiresMillis) {
            // Tasks that were leased together expire together, so most often the next one is as early as the one
            // before.
            return;
        }
        // The set is ordered by the field that changes below: the queue has to leave it before.
        queues.remove(queue);
        if (timed == null || timed.isEmpty()) {
            queue.timed = null;
            queue.nextFiresMillis = Long.MAX_VALUE;
        } else {
            queue.nextFiresMillis = timed.first().firesMillis();
            queues.add(queue);
        }
    }

    /**
     * Takes over a task that is evicted, clean, and waits for its instant: from here on its stored row represents it.
     */
    void evicted(Task task) {
        remove(task);
        TimeHint hint = new TimeHint(
                task.firesMillis(), task.queue.key, task.generation, task.pid, Math.max(0, task.dataBytes));
        // Beyond the known head the stored row alone stands for the task: the scan that gets there finds it.
        if (isKnown(hint)) {
            hints.add(hint);
            shorten();
        }
    }

    /** Returns the next instant that a task waits for, as far as known; {@link Long#MAX_VALUE} if there is none. */
    long nextMillis() {
        TimeHint unknown = knownUntil;
        long next = unknown == null ? Long.MAX_VALUE : unknown.millis();
        if (!queues.isEmpty()) {
            next = Math.min(next, queues.first().nextFiresMillis);
        }
        return hints.isEmpty() ? next : Math.min(next, hints.first().millis());
    }

    /** Returns whether time can pass this instant without another read of the stored index. */
    boolean knows(long nowMillis) {
        TimeHint unknown = knownUntil;
        return unknown == null || unknown.millis() > nowMillis;
    }

    /** Returns the position from which the stored index has to be read on; null if all of it is known. */
    @Nullable
    TimeHint loadFrom() {
        return knownUntil;
    }

    /**
     * Takes in a scan of the stored index from {@link #loadFrom()} on.
     *
     * @param from where the scan began; evictions can shorten the head meanwhile, so that it no longer ends there. The
     *     result would leave a gap then, and is discarded
     * @param until every row before this one is among {@code loaded}; null: there are no more rows
     */
    void loaded(TimeHint from, List<TimeHint> loaded, @Nullable TimeHint until) {
        if (!from.equals(knownUntil)) {
            return;
        }
        hints.addAll(loaded);
        knownUntil = until;
        shorten();
    }

    /** Forgets what is known of the stored index, so that it is read again from its beginning. */
    void reset() {
        hints.clear();
        knownUntil = TimeHint.FIRST;
    }

    /**
     * Returns hints that are due at this instant. They come before anything in memory that {@link #fireNext} has left.
     *
     * @param maxBytes bound on the data of their tasks, for all but the first
     */
    List<TimeHint> due(long nowMillis, int max, long maxBytes) {
        List<TimeHint> due = new ArrayList<>();
        long bytes = 0;
        for (TimeHint hint : hints) {
            bytes += hint.dataBytes();
            if (hint.millis() > nowMillis || due.size() == max || (bytes > maxBytes && !due.isEmpty())) {
                break;
            }
            due.add(hint);
        }
        return due;
    }

    /** Removes a hint whose task is in memory, or that was stale. */
    void settled(TimeHint hint) {
        hints.remove(hint);
    }

    /** Takes the next task whose instant has come, and no later than that of any open hint. Null if there is none. */
    @Nullable
    Task fireNext(long nowMillis) {
        QueueState queue = queues.isEmpty() ? null : queues.first();
        if (queue == null || queue.nextFiresMillis > horizon(nowMillis) || queue.timed == null) {
            return null;
        }
        Task first = queue.timed.pollFirst();
        reindex(queue);
        return first;
    }

    /**
     * Moves the clock to where {@link #fireNext} stopped, after it has returned null.
     *
     * @return whether that is {@code nowMillis}
     */
    boolean advancedTo(long nowMillis) {
        long horizon = horizon(nowMillis);
        // The horizon can lie behind, for example after reset; what has been counted stays counted.
        firedUntilMillis = Math.max(firedUntilMillis, horizon);
        awaitedMillis = horizon == nowMillis ? Long.MIN_VALUE : nowMillis;
        return horizon == nowMillis;
    }

    /**
     * Returns whether a task in memory is one of those that the clock has to pass before it reaches the instant that it
     * falls short of. If such a task were evicted, it would have to be read again at once.
     */
    boolean awaits(Task task) {
        return !task.counted && task.isTimed() && task.firesMillis() <= awaitedMillis;
    }

    /** Returns whether the clock stands at an instant, or behind it, and the stored head is known up to there. */
    boolean isAt(long nowMillis) {
        return firedUntilMillis >= nowMillis && horizon(nowMillis) == nowMillis;
    }

    /** Removes a whole queue: nothing of it may fire. */
    void forget(QueueState queue) {
        queue.timed = null;
        reindex(queue);
    }

    /** Returns the tasks in memory that wait for an instant. */
    Collection<Task> timed() {
        List<Task> all = new ArrayList<>();
        queues.forEach(queue -> all.addAll(queue.timed == null ? List.of() : queue.timed));
        return all;
    }

    private boolean isKnown(TimeHint hint) {
        TimeHint unknown = knownUntil;
        return unknown == null || hint.compareTo(unknown) < 0;
    }

    private long horizon(long nowMillis) {
        TimeHint unknown = knownUntil;
        // Below the position of an unknown row or an open hint time is safe; at its instant another task may fire
        // first.
        long horizon = unknown == null ? nowMillis : Math.min(nowMillis, unknown.millis() - 1);
        return hints.isEmpty() ? horizon : Math.min(horizon, hints.first().millis() - 1);
    }

    private void shorten() {
        while (hints.size() > maxHints) {
            knownUntil = hints.pollLast();
        }
    }
}
