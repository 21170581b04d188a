package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command.Lease;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.Reply.Leased;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the selectors that were used of late: which queues each of them chooses, and whose turn it is among these. None
 * of it is needed to be right, only to be fast and fair; it is lost on a restart. Single-threaded: owned by its partition.
 */
public final class Choices {

    /** Of so many selectors something is known. One that was not used for longer begins anew. */
    private static final int MAX_SELECTORS = 256;

    /** So much work of matching is done on the way in a turn of the loop, in steps: one or two milliseconds at worst. */
    static final long STEPS_ON_THE_WAY = 50_000;

    private final Queues queues;
    private final LinkedHashMap<Selector, Choice> bySelector = new LinkedHashMap<>(16, 0.75f, true);

    /** Those of them that leases go around: they have to hear of what may be leased. Others, of people who look for queues, may be many. */
    private final LinkedHashSet<Choice> rotating = new LinkedHashSet<>();

    /** Those under a {@link Look}: as many as there are requests that wait for it, at most. */
    private final HashSet<Selector> lookedOn = new HashSet<>();

    /** What is being added up. */
    private final HashMap<Selector, Census> censuses = new HashMap<>(4);

    private long stepsLeft = STEPS_ON_THE_WAY;
    private long stepsMade;

    Choices(Queues queues) {
        this.queues = queues;
    }

    /** What is known of a selector, from now on if it is new. */
    Choice of(Selector selector) {
        Choice choice = bySelector.get(selector);
        if (choice == null) {
            choice = new Choice(selector, queues);
            forgetOne();
            bySelector.put(selector, choice);
        }
        return choice;
    }

    /** The one used longest ago, but none that is being looked at: it would begin anew, and another, and so on for ever. */
    private void forgetOne() {
        if (bySelector.size() < MAX_SELECTORS) {
            return;
        }
        for (Map.Entry<Selector, Choice> eldest : bySelector.entrySet()) {
            if (!lookedOn.contains(eldest.getKey())) {
                rotating.remove(eldest.getValue());
                bySelector.remove(eldest.getKey());
                return;
            }
        }
    }

    /** A turn of the loop begins: names may be matched on the way again. */
    public void turnBegins() {
        stepsLeft = STEPS_ON_THE_WAY;
    }

    /** How much work of matching may be done in this turn. */
    long stepsLeft() {
        return stepsLeft;
    }

    /** So much is done. */
    void spend(long steps) {
        stepsMade += steps;
        stepsLeft = Math.max(0, stepsLeft - steps);
    }

    /** How much was done on the loop so far. */
    public long stepsMade() {
        return stepsMade;
    }

    /**
     * Whether a selector may choose a queue: it does, or to know that is more work than may be done in this turn. {@link Engine#decide} knows what it waits for.
     */
    public boolean mayChoose(Selector selector, QueueState queue) {
        Choice choice = bySelector.get(selector);
        if (choice != null) {
            return choice.isReady(queue) ? choice.chooses(queue) : choice.isOpen(queue);
        }
        if (selector.pattern().isEmpty()) {
            return selector.chooses(queue.key);
        }
        return isAffordable(selector, queue.key) ? choosesNow(selector, queue.key) : true;
    }

    /** Whether a selector chooses a queue that may not be there, as far as that is known without more work than may be done in this turn. */
    boolean choosesForSure(Selector selector, QueueKey queue) {
        return isAffordable(selector, queue) && choosesNow(selector, queue);
    }

    private boolean isAffordable(Selector selector, QueueKey queue) {
        return steps(selector, queue) <= stepsLeft;
    }

    private boolean choosesNow(Selector selector, QueueKey queue) {
        spend(steps(selector, queue));
        return selector.chooses(queue);
    }

    private static long steps(Selector selector, QueueKey queue) {
        return selector.pattern().map(pattern -> pattern.steps(queue.name())).orElse(0L);
    }

    /** Whether so little of a selector is unknown that it may be found out on the way; otherwise it takes a {@link #look}. */
    public boolean isKnown(Selector selector) {
        return selector.pattern().isEmpty() || of(selector).isKnown();
    }

    /** Begins to look at the queues that a selector with a pattern was not matched against yet. It is kept until {@link #looked}. */
    public Look look(Selector selector) {
        lookedOn.add(selector);
        return new Look(of(selector), queues);
    }

    /** The look is over. */
    public void looked(Selector selector) {
        lookedOn.remove(selector);
    }

    /** The queues that a selector chooses, added up; null if they are not. */
    @Nullable
    Census census(Selector selector) {
        Census census = censuses.get(selector);
        return census == null || !census.isComplete() ? null : census;
    }

    /** Adds up some more of the queues that a selector chooses, which is known. True if that is done: from then on until {@link #counted} it stays so. */
    public boolean countOn(Selector selector, long nowMillis) {
        return censuses.computeIfAbsent(selector, _ -> new Census(of(selector), queues))
                .countOn(nowMillis);
    }

    /** Nobody is left who wanted the sum. */
    public void counted(Selector selector) {
        censuses.remove(selector);
    }

    /** This queue is about to change its sizes. */
    void changing(QueueState queue) {
        if (!censuses.isEmpty()) {
            censuses.values().forEach(census -> census.changing(queue));
        }
    }

    /** This queue, which was about to, has changed its sizes. */
    void changed(QueueState queue) {
        if (!censuses.isEmpty()) {
            censuses.values().forEach(census -> census.changed(queue));
        }
        mayLease(queue);
    }

    /** A lease was granted: the next one with the same selector and cap goes on behind it. */
    public void leased(Lease lease, Leased reply) {
        if (!lease.selector().isOneQueue() && !reply.tasks().isEmpty()) {
            QueueState last = queues.get(reply.tasks().getLast().queue());
            if (last != null) {
                of(lease.selector()).rotation(lease.maxLeasedPerQueue()).served(last, reply.tasks());
            }
        }
    }

    void removed(QueueState queue) {
        for (Choice choice : bySelector.values()) {
            choice.removed(queue);
        }
        censuses.values().forEach(census -> census.removed(queue));
    }

    /** Something may be leased from this queue that could not be before. */
    void mayLease(QueueState queue) {
        if (!rotating.isEmpty() && queue.leasable() > 0) {
            for (Choice choice : rotating) {
                choice.mayLease(queue);
            }
        }
    }

    /** Leases go around what this one chooses, from now on. */
    void rotates(Choice choice) {
        rotating.add(choice);
    }
}
