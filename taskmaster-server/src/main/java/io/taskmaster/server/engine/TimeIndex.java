package io.taskmaster.server.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When leases run out, in order of time. Single-threaded: owned by its partition.
 *
 * <p>A lease whose task is in memory is with its queue ({@link QueueState#running}), and here are the queues by their first one: so
 * a deleted queue goes at once, however many leases it has. A lease whose task was given up is known by its row in the store, a
 * <em>hint</em>, of which only the head is in memory: those before {@code knownUntil}. Time advances in order: first to fire is the
 * earlier of both; a hint that is due must have its task read before time can pass it, and the head must be loaded before time can
 * pass {@code knownUntil}. So {@link QueueState#expired} is exact as of {@link #firedUntil()} with bounded memory.
 */
final class TimeIndex {

    /** Of the hints in memory, at most so many. */
    static final int MAX_HINTS = 8192;

    private static final Comparator<Task> BY_EXPIRY = (a, b) -> {
        int byTime = Long.compare(expiry(a), expiry(b));
        if (byTime != 0) {
            return byTime;
        }
        return a.pid.compareTo(b.pid);
    };

    private static final Comparator<QueueState> BY_NEXT_EXPIRY = (a, b) -> {
        int byTime = Long.compare(a.nextExpiryMillis, b.nextExpiryMillis);
        return byTime != 0 ? byTime : a.key.compareTo(b.key);
    };

    /** Every queue with a lease that runs. */
    private final TreeSet<QueueState> queues = new TreeSet<>(BY_NEXT_EXPIRY);

    final TreeSet<ExpiryHint> hints = new TreeSet<>();
    private final int maxHints;

    /** Every stored hint before this one is in {@code hints}, unless its task is in memory. Null: every stored hint is. */
    private @Nullable ExpiryHint knownUntil = ExpiryHint.FIRST;

    private long firedUntilMillis = Long.MIN_VALUE;

    TimeIndex(int maxHints) {
        this.maxHints = maxHints;
    }

    /** Expiries up to and including this instant have been counted. */
    long firedUntil() {
        return firedUntilMillis;
    }

    /** A task in memory is leased, and not counted as expired. */
    void add(Task task) {
        QueueState queue = task.queue;
        TreeSet<Task> running = queue.running;
        if (running == null) {
            running = new TreeSet<>(BY_EXPIRY);
            queue.running = running;
        }
        running.add(task);
        if (running.first() == task) {
            reindex(queue);
        }
    }

    /** To be called before the lease of a task that is in here changes. */
    void remove(Task task) {
        TreeSet<Task> running = task.queue.running;
        if (running != null) {
            boolean first = running.first() == task;
            running.remove(task);
            if (first) {
                reindex(task.queue);
            }
        }
    }

    /** To be called when the first lease of a queue is another one than before. */
    private void reindex(QueueState queue) {
        queues.remove(queue);
        TreeSet<Task> running = queue.running;
        if (running == null || running.isEmpty()) {
            queue.running = null;
            queue.nextExpiryMillis = Long.MAX_VALUE;
        } else {
            queue.nextExpiryMillis = expiry(running.first());
            queues.add(queue);
        }
    }

    /** The task, clean and under a running lease, is given up: from here on its stored row has to remember it. */
    void gaveUp(Task task, Grant grant) {
        remove(task);
        ExpiryHint hint =
                new ExpiryHint(grant.expiresMillis(), task.queue.key, task.generation, task.pid, grant.leaseId());
        if (isKnown(hint)) {
            hints.add(hint);
            shorten();
        }
    }

    /** When the next lease runs out, as far as known; {@link Long#MAX_VALUE} if none does. */
    long nextMillis() {
        ExpiryHint unknown = knownUntil;
        long next = unknown == null ? Long.MAX_VALUE : unknown.expiresMillis();
        if (!queues.isEmpty()) {
            next = Math.min(next, queues.first().nextExpiryMillis);
        }
        return hints.isEmpty() ? next : Math.min(next, hints.first().expiresMillis());
    }

    /** Whether time can pass this instant without another look at the stored index. */
    boolean knows(long nowMillis) {
        ExpiryHint unknown = knownUntil;
        return unknown == null || unknown.expiresMillis() > nowMillis;
    }

    /** From where the stored index has to be read on; null if all of it is known. */
    @Nullable
    ExpiryHint loadFrom() {
        return knownUntil;
    }

    /**
     * What a scan of the stored index from {@link #loadFrom()} brought.
     *
     * @param from where it began; as evictions can shorten the head meanwhile, this may no longer be where the head ends: then
     *     what was brought would leave a gap, and is discarded
     * @param until every row before this one is among {@code loaded}; null: there are no more rows
     */
    void loaded(ExpiryHint from, List<ExpiryHint> loaded, @Nullable ExpiryHint until) {
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
        knownUntil = ExpiryHint.FIRST;
    }

    /** Hints that are due at this instant and come before anything in memory. */
    List<ExpiryHint> due(long nowMillis, int max) {
        List<ExpiryHint> due = new ArrayList<>();
        for (ExpiryHint hint : hints) {
            if (hint.expiresMillis() > nowMillis || due.size() == max) {
                break;
            }
            due.add(hint);
        }
        return due;
    }

    /** The hint has been looked after: its task is in memory, or it was stale. */
    void settled(ExpiryHint hint) {
        hints.remove(hint);
    }

    /** Takes the next task whose lease ran out by this instant and no later than any open hint. Null if there is none. */
    @Nullable
    Task fireNext(long nowMillis) {
        QueueState queue = queues.isEmpty() ? null : queues.first();
        if (queue == null || queue.nextExpiryMillis > horizon(nowMillis) || queue.running == null) {
            return null;
        }
        Task first = queue.running.pollFirst();
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
        queue.running = null;
        reindex(queue);
    }

    /** The leases of tasks in memory that have not fired. */
    Collection<Task> running() {
        List<Task> all = new ArrayList<>();
        queues.forEach(queue -> all.addAll(queue.running == null ? List.of() : queue.running));
        return all;
    }

    private boolean isKnown(ExpiryHint hint) {
        ExpiryHint unknown = knownUntil;
        return unknown == null || hint.compareTo(unknown) < 0;
    }

    private long horizon(long nowMillis) {
        ExpiryHint unknown = knownUntil;
        long horizon = unknown == null ? nowMillis : Math.min(nowMillis, unknown.expiresMillis() - 1);
        return hints.isEmpty() ? horizon : Math.min(horizon, hints.first().expiresMillis() - 1);
    }

    private void shorten() {
        while (hints.size() > maxHints) {
            knownUntil = hints.pollLast();
        }
    }

    private static long expiry(Task task) {
        Grant grant = task.grant;
        if (grant == null) {
            throw new IllegalStateException("task: " + task + " (expected: leased while it is in the time index)");
        }
        return grant.expiresMillis();
    }
}
