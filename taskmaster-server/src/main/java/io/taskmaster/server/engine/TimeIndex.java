package io.taskmaster.server.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When leases run out and delays are over, in order of time. Single-threaded: owned by its partition.
 *
 * <p>A task in memory that waits for its instant is with its queue ({@link QueueState#timed}), and here are the queues by their first
 * one: so a deleted queue goes at once, however many it has. A task that was given up is known by its row in the stored index, a
 * <em>hint</em>, of which only the head is in memory: those before {@code knownUntil}. Time advances in order: first to fire is the
 * earlier of both; a hint that is due must have its task read before time can pass it, and the head must be loaded before time can
 * pass {@code knownUntil}. So {@link QueueState#expired} is exact as of {@link #firedUntil()} with bounded memory.
 */
final class TimeIndex {

    /** Of the hints in memory, at most so many. */
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

    /** Every queue with such tasks. */
    private final TreeSet<QueueState> queues = new TreeSet<>(BY_NEXT);

    final TreeSet<TimeHint> hints = new TreeSet<>();
    private final int maxHints;

    /** Every stored hint before this one is in {@code hints}, unless its task is in memory. Null: every stored hint is. */
    private @Nullable TimeHint knownUntil = TimeHint.FIRST;

    private long firedUntilMillis = Long.MIN_VALUE;

    TimeIndex(int maxHints) {
        this.maxHints = maxHints;
    }

    /** What waited for an instant up to and including this one has been counted. */
    long firedUntil() {
        return firedUntilMillis;
    }

    /** A task in memory waits for an instant that has not been counted. */
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

    /** To be called before a task that is in here changes. */
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

    /** To be called when the first instant of a queue may be another one than before. */
    private void reindex(QueueState queue) {
        TreeSet<Task> timed = queue.timed;
        if (timed != null && !timed.isEmpty() && timed.first().firesMillis() == queue.nextFiresMillis) {
            // Tasks that were leased together run out together: most often the next one is as early as the one before.
            return;
        }
        queues.remove(queue);
        if (timed == null || timed.isEmpty()) {
            queue.timed = null;
            queue.nextFiresMillis = Long.MAX_VALUE;
        } else {
            queue.nextFiresMillis = timed.first().firesMillis();
            queues.add(queue);
        }
    }

    /** The task, clean and waiting for its instant, is given up: from here on its stored row has to remember it. */
    void gaveUp(Task task) {
        remove(task);
        TimeHint hint = new TimeHint(
                task.firesMillis(), task.queue.key, task.generation, task.pid, Math.max(0, task.dataBytes));
        if (isKnown(hint)) {
            hints.add(hint);
            shorten();
        }
    }

    /** The next instant that somebody waits for, as far as known; {@link Long#MAX_VALUE} if nobody does. */
    long nextMillis() {
        TimeHint unknown = knownUntil;
        long next = unknown == null ? Long.MAX_VALUE : unknown.millis();
        if (!queues.isEmpty()) {
            next = Math.min(next, queues.first().nextFiresMillis);
        }
        return hints.isEmpty() ? next : Math.min(next, hints.first().millis());
    }

    /** Whether time can pass this instant without another look at the stored index. */
    boolean knows(long nowMillis) {
        TimeHint unknown = knownUntil;
        return unknown == null || unknown.millis() > nowMillis;
    }

    /** From where the stored index has to be read on; null if all of it is known. */
    @Nullable
    TimeHint loadFrom() {
        return knownUntil;
    }

    /**
     * What a scan of the stored index from {@link #loadFrom()} brought.
     *
     * @param from where it began; as evictions can shorten the head meanwhile, this may no longer be where the head ends: then
     *     what was brought would leave a gap, and is discarded
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

    /** Forgets what is known of the stored index: it is going to be read again from its beginning. */
    void startOver() {
        hints.clear();
        knownUntil = TimeHint.FIRST;
    }

    /**
     * Hints that are due at this instant and come before anything in memory.
     *
     * @param maxBytes of data that their tasks have, for all but the first
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

    /** The hint has been looked after: its task is in memory, or it was stale. */
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

    /** All that {@link #fireNext} had to give was taken: time stands where it stopped. True if that is {@code nowMillis}. */
    boolean advancedTo(long nowMillis) {
        long horizon = horizon(nowMillis);
        firedUntilMillis = Math.max(firedUntilMillis, horizon);
        return horizon == nowMillis;
    }

    /** The whole queue is gone: nothing of it may fire. */
    void forget(QueueState queue) {
        queue.timed = null;
        reindex(queue);
    }

    /** The tasks in memory that wait for an instant. */
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
        long horizon = unknown == null ? nowMillis : Math.min(nowMillis, unknown.millis() - 1);
        return hints.isEmpty() ? horizon : Math.min(horizon, hints.first().millis() - 1);
    }

    private void shorten() {
        while (hints.size() > maxHints) {
            knownUntil = hints.pollLast();
        }
    }
}
