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
 * millisecond. So is the position that the clock has passed: of a million tasks that are delayed until midnight, the
 * first ones are counted while the last ones are not in memory.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Every stored hint before {@code knownUntil} is in {@code hints}, unless its task is in memory. A null
 *       {@code knownUntil} means that all of the index is known.
 *   <li>{@code passed} never moves back. Everything that waits at a position before it has been counted, and nothing
 *       behind it, so {@link QueueState#expired} and {@link QueueState#due} are exact as of that position.
 *   <li>{@code hints} has at most {@code maxHints} entries. If it grows beyond, its tail is dropped and
 *       {@code knownUntil} moves back.
 *   <li>{@code queues} is ordered by {@link QueueState#nextFiresMillis}, which changes only while the queue is out of
 *       the set.
 * </ul>
 *
 * <p>Algorithm: {@link #fireNext} takes tasks from memory in the order of their rows, but only those before the
 * <em>horizon</em>, which is the first open hint, or {@code knownUntil} if there is none. When nothing is left,
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

    /** The position of the clock: everything that waited before it has been counted. */
    private TimeHint passed = TimeHint.FIRST;

    TimeIndex(int maxHints) {
        this.maxHints = maxHints;
    }

    Collection<TimeHint> hints() {
        return Collections.unmodifiableCollection(hints);
    }

    /** The instant up to and including which everything that waited has been counted. */
    long firedUntil() {
        return passed.millis() - 1;
    }

    /** Returns whether the clock has passed a row, so that its task has been counted. */
    boolean hasPassed(TimeHint row) {
        return row.compareTo(passed) < 0;
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
        TimeHint hint = TimeHint.of(task);
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

    /** Takes the next task whose instant has come, and that comes before every open hint. Null if there is none. */
    @Nullable
    Task fireNext(long nowMillis) {
        QueueState queue = queues.isEmpty() ? null : queues.first();
        if (queue == null || queue.timed == null || !isBefore(queue.timed.first(), horizon(nowMillis))) {
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
        TimeHint horizon = horizon(nowMillis);
        // The horizon can lie behind, for example after reset; what has been counted stays counted.
        if (!hasPassed(horizon)) {
            passed = horizon;
        }
        return horizon.millis() > nowMillis;
    }

    /** Returns whether the clock stands at an instant, or behind it, and the stored head is known up to there. */
    boolean isAt(long nowMillis) {
        return passed.millis() > nowMillis && horizon(nowMillis).millis() > nowMillis;
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

    /** Returns the position that the clock can reach: up to there, all that waits is in memory. */
    private TimeHint horizon(long nowMillis) {
        TimeHint open = hints.isEmpty() ? knownUntil : hints.first();
        return open == null || open.millis() > nowMillis ? TimeHint.startOf(nowMillis + 1) : open;
    }

    private static boolean isBefore(Task task, TimeHint position) {
        long millis = task.firesMillis();
        // Most often the instants differ, so no row has to be made of the task.
        return millis == position.millis() ? TimeHint.of(task).compareTo(position) < 0 : millis < position.millis();
    }

    private void shorten() {
        while (hints.size() > maxHints) {
            knownUntil = hints.pollLast();
        }
    }
}
