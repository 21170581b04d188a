package io.taskmaster.server.engine;

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

    private final Queues queues;
    private final LinkedHashMap<Selector, Choice> bySelector = new LinkedHashMap<>(16, 0.75f, true);

    /** Those of them that leases go around: they have to hear of what may be leased. Others, of people who look for queues, may be many. */
    private final LinkedHashSet<Choice> rotating = new LinkedHashSet<>();

    /** Those that are being held against queues: as many as there are requests that wait for it, at most. */
    private final HashSet<Selector> lookedOn = new HashSet<>();

    /** What is being added up. */
    private final HashMap<Selector, Census> censuses = new HashMap<>(4);

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

    /** Whether a selector chooses a queue, whether or not more is known of it. */
    public boolean chooses(Selector selector, QueueState queue) {
        Choice choice = bySelector.get(selector);
        return choice == null ? Choice.chooses(selector, queue.key) : choice.chooses(queue);
    }

    /** Looks at some of the queues that were not held against this selector yet. True if there are none left. */
    public boolean lookOn(Selector selector) {
        boolean done = of(selector).lookOn();
        if (done) {
            lookedOn.remove(selector);
        } else {
            lookedOn.add(selector);
        }
        return done;
    }

    /** The queues that a selector chooses, added up; null if they are not. */
    @Nullable
    Census census(Selector selector) {
        Census census = censuses.get(selector);
        return census == null || !census.isComplete() ? null : census;
    }

    /** Adds up some more of the queues that a selector chooses. True if that is done: from then on until {@link #counted} it stays so. */
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
