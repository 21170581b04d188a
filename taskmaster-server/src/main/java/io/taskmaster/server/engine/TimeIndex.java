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
 * <p>A lease whose task is in memory is in {@code running}. One whose task was given up is known by its row in the store, a
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
        int byPid = a.pid.compareTo(b.pid);
        return byPid != 0 ? byPid : a.queue.key.compareTo(b.queue.key);
    };

    private final TreeSet<Task> running = new TreeSet<>(BY_EXPIRY);
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
        running.add(task);
    }

    /** To be called before the lease of a task that is in here changes. */
    void remove(Task task) {
        running.remove(task);
    }

    /** The task, clean and under a running lease, is given up: from here on its stored row has to remember it. */
    void gaveUp(Task task, Grant grant) {
        running.remove(task);
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
        if (!running.isEmpty()) {
            next = Math.min(next, expiry(running.first()));
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
        if (running.isEmpty()) {
            return null;
        }
        Task first = running.first();
        return expiry(first) <= horizon(nowMillis) ? running.pollFirst() : null;
    }

    /** All that {@link #fireNext} had to give was taken: time stands where it stopped. True if that is {@code nowMillis}. */
    boolean advancedTo(long nowMillis) {
        long horizon = horizon(nowMillis);
        firedUntilMillis = Math.max(firedUntilMillis, horizon);
        return horizon == nowMillis;
    }

    /** The whole queue is gone: nothing of it may fire. */
    void forget(QueueState queue) {
        if (queue.leased > 0) {
            for (Task task : queue.tasks.values()) {
                if (task.isLeased()) {
                    running.remove(task);
                }
            }
        }
    }

    /** The leases of tasks in memory that have not fired. */
    Collection<Task> running() {
        return running;
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
