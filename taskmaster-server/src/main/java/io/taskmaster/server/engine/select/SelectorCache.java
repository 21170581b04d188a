package io.taskmaster.server.engine.select;

import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.state.QueueObserver;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cache of what is known of recently used selectors: which queues each of them chooses, and the round-robin
 * position among these. Correctness does not depend on it, only speed and fairness; it is lost on a restart.
 * Single-threaded: owned by the partition's loop.
 */
public final class SelectorCache implements QueueObserver {

    /** The number of selectors kept. The least recently used one is dropped and starts anew. */
    private static final int MAX_SELECTORS = 256;

    /** The work of matching that one loop tick may do inline, in steps: one or two milliseconds at worst. */
    static final long INLINE_STEPS = 50_000;

    private final Queues queues;
    private final LinkedHashMap<Selector, SelectorMatch> bySelector = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * The choices that leases rotate over: they have to be notified of what may be leased. Others, of callers that only
     * list queues, may be many.
     */
    private final LinkedHashSet<SelectorMatch> rotating = new LinkedHashSet<>();

    /** The selectors under a {@link PatternMatchJob}: at most as many as there are requests that wait for one. */
    private final HashSet<Selector> beingMatched = new HashSet<>();

    /** The scans for totals, in progress or kept. */
    private final HashMap<Selector, TotalsScan> totalsScans = new HashMap<>(4);

    private long remainingSteps = INLINE_STEPS;
    private long stepsMade;

    public SelectorCache(Queues queues) {
        this.queues = queues;
        queues.observe(this);
    }

    /** Returns what is known of a selector; a new one is cached from now on. */
    public SelectorMatch of(Selector selector) {
        SelectorMatch selectorMatch = bySelector.get(selector);
        if (selectorMatch == null) {
            selectorMatch = new SelectorMatch(selector, queues, this);
            evictEldest();
            bySelector.put(selector, selectorMatch);
        }
        return selectorMatch;
    }

    /**
     * Drops the least recently used choice, but none under a {@link PatternMatchJob}: that would start anew and drop
     * another one, without end.
     */
    private void evictEldest() {
        if (bySelector.size() < MAX_SELECTORS) {
            return;
        }
        for (Map.Entry<Selector, SelectorMatch> eldest : bySelector.entrySet()) {
            if (!beingMatched.contains(eldest.getKey())) {
                rotating.remove(eldest.getValue());
                bySelector.remove(eldest.getKey());
                return;
            }
        }
    }

    /** Begins a loop tick: names may be matched inline again. */
    public void beginTick() {
        remainingSteps = INLINE_STEPS;
    }

    /** The work of matching that is left for this loop tick, in steps. */
    long remainingSteps() {
        return remainingSteps;
    }

    /** Spends work of matching. */
    void spend(long steps) {
        stepsMade += steps;
        remainingSteps = Math.max(0, remainingSteps - steps);
    }

    /** The work of matching done on the loop so far, in steps. */
    public long stepsMade() {
        return stepsMade;
    }

    /**
     * Returns whether a selector may choose a queue: it does, or finding out is more work than this loop tick can
     * afford. {@code Engine.decide} returns what to wait for in that case.
     */
    public boolean mayChoose(Selector selector, QueueState queue) {
        SelectorMatch selectorMatch = bySelector.get(selector);
        if (selectorMatch != null) {
            return selectorMatch.isReady(queue) ? selectorMatch.chooses(queue) : selectorMatch.isOpen(queue);
        }
        if (selector.pattern().isEmpty()) {
            return selector.chooses(queue.key());
        }
        return isAffordable(selector, queue.key()) ? choosesNow(selector, queue.key()) : true;
    }

    /**
     * Returns whether a selector chooses a queue that may not be there, as far as that can be found out within this
     * loop tick.
     */
    public boolean certainlyChooses(Selector selector, QueueKey queue) {
        return isAffordable(selector, queue) && choosesNow(selector, queue);
    }

    private boolean isAffordable(Selector selector, QueueKey queue) {
        return steps(selector, queue) <= remainingSteps;
    }

    private boolean choosesNow(Selector selector, QueueKey queue) {
        spend(steps(selector, queue));
        return selector.chooses(queue);
    }

    private static long steps(Selector selector, QueueKey queue) {
        return selector.pattern().map(pattern -> pattern.steps(queue.name())).orElse(0L);
    }

    /**
     * Returns whether so little of a selector is unknown that it can be matched inline; otherwise it takes a
     * {@link #beginMatching}.
     */
    public boolean isKnown(Selector selector) {
        return selector.pattern().isEmpty() || of(selector).isKnown();
    }

    /**
     * Begins a look at the queues that a selector with a pattern was not matched against yet. Its choice is kept until
     * {@link #endMatching}.
     */
    public PatternMatchJob beginMatching(Selector selector) {
        beingMatched.add(selector);
        return new PatternMatchJob(of(selector), queues);
    }

    /** Ends the look. */
    public void endMatching(Selector selector) {
        beingMatched.remove(selector);
    }

    /** Returns the sum over the queues that a selector chooses; null if it is not complete. */
    @Nullable
    public TotalsScan totals(Selector selector) {
        TotalsScan totalsScan = totalsScans.get(selector);
        return totalsScan == null || !totalsScan.isComplete() ? null : totalsScan;
    }

    /**
     * Counts some more of the queues that a selector, which is known, chooses.
     *
     * @return whether that is complete; from then on until {@link #endTotals} the sum is kept up to date
     */
    public boolean continueTotals(Selector selector, long nowMillis) {
        return totalsScans
                .computeIfAbsent(selector, _ -> new TotalsScan(of(selector), queues))
                .advance(nowMillis);
    }

    /** Drops a scan: no request needs the sum any more. */
    public void endTotals(Selector selector) {
        totalsScans.remove(selector);
    }

    /** Notifies scans of a queue that is about to change its sizes. */
    @Override
    public void changing(QueueState queue) {
        if (!totalsScans.isEmpty()) {
            totalsScans.values().forEach(totalsScan -> totalsScan.changing(queue));
        }
    }

    /** Notifies scans and rotations of a queue that has changed its sizes. */
    @Override
    public void changed(QueueState queue) {
        if (!totalsScans.isEmpty()) {
            totalsScans.values().forEach(totalsScan -> totalsScan.changed(queue));
        }
        mayLease(queue);
    }

    /** Notes that a lease was granted: the next one with the same selector and cap goes on behind it. */
    public void leased(Lease lease, Leased reply) {
        if (!lease.selector().isOneQueue() && !reply.tasks().isEmpty()) {
            QueueState last = queues.get(reply.tasks().getLast().queue());
            if (last != null) {
                of(lease.selector()).rotation(lease.maxLeasedPerQueue()).served(last, reply.tasks());
            }
        }
    }

    @Override
    public void removing(QueueState queue) {
        for (SelectorMatch selectorMatch : bySelector.values()) {
            selectorMatch.removed(queue);
        }
        totalsScans.values().forEach(totalsScan -> totalsScan.removed(queue));
    }

    /** Notifies rotations of a queue from which something may be leased. */
    void mayLease(QueueState queue) {
        if (!rotating.isEmpty() && queue.leasable() > 0) {
            for (SelectorMatch selectorMatch : rotating) {
                selectorMatch.mayLease(queue);
            }
        }
    }

    /** Registers a choice that leases rotate over from now on. */
    void rotates(SelectorMatch selectorMatch) {
        rotating.add(selectorMatch);
    }
}
