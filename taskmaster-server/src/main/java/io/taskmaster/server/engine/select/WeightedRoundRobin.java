package io.taskmaster.server.engine.select;

import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The round-robin of leases with one selector and one cap over the queues that the selector chooses. Single-threaded:
 * owned by the partition's loop.
 *
 * <p>State: {@code candidates}, a bit per slot; {@code next}, the slot at which the next lease begins;
 * {@code leasedOfLast}, the number of tasks that this queue has already given of its weight. Candidates are ordered by
 * slot.
 *
 * <p>Weights ({@code docs/adr/0010-weights-and-untried-leases.md}): a queue gives as many tasks in a row as it has
 * weight. Each lease goes on where the one before ended, be it within the weight of a queue. So the order in which
 * queues are served does not depend on the size of the leases. Of the queues that have something to lease, each is
 * served at least once in as many tasks as all of them have weight together.
 *
 * <p>Invariant: every queue that is chosen and may be leased from is a candidate. The opposite does not hold. A queue
 * with nothing left, at its cap, or not chosen is cleared when a lease comes to it, and {@link #mayLease} sets it again
 * on any change that may make it leasable. So a lease costs what it takes, not what there is: each cleared bit was paid
 * for by the change that set it.
 *
 * <p>Two exceptions:
 *
 * <ul>
 *   <li>A queue whose head must be read from the store first is passed over if another one has something to give. It is
 *       read for the next lease.
 *   <li>A lease with a largest PID may find nothing in queues that other leases can take from. Those stay candidates,
 *       so in the worst case such a lease visits every queue that holds tasks.
 * </ul>
 *
 * <p>A {@link Round} walks the candidates once, from {@code next} to the end and from the beginning to {@code next}. It
 * does not move {@code next}: only a granted lease does ({@link #served}), since a lease may be decided and not take
 * effect.
 */
public final class WeightedRoundRobin {

    private final SelectorMatch selectorMatch;
    private final Queues queues;
    private final long cap;

    /** The candidates, by slot. */
    private final BitSet candidates;

    /** The slot at which the next lease begins, and the number of tasks that this queue has given of its weight. */
    private int next;

    private int leasedOfLast;

    /** @param candidates the slots of all queues that may be chosen, owned by the rotation from here on */
    WeightedRoundRobin(SelectorMatch selectorMatch, Queues queues, long cap, BitSet candidates) {
        this.selectorMatch = selectorMatch;
        this.queues = queues;
        this.cap = cap;
        this.candidates = candidates;
    }

    void mayLease(QueueState queue) {
        candidates.set(queue.slot());
    }

    /**
     * Moves the rotation behind a lease that was granted.
     *
     * @param last the queue of the last of its tasks
     */
    void served(QueueState last, List<LeasedTask> tasks) {
        int weight = last.options().weight();
        // A queue that has given a multiple of its weight is done: the next lease begins behind it.
        leasedOfLast = weight == 1 ? 0 : leasedBy(last, tasks) % weight;
        next = leasedOfLast == 0 ? last.slot() + 1 : last.slot();
    }

    /**
     * Returns the number of tasks that the last queue has given in a row. Those of the lease before count if it ended
     * with the same queue.
     */
    private int leasedBy(QueueState last, List<LeasedTask> tasks) {
        int count = 0;
        while (count < tasks.size()
                && tasks.get(tasks.size() - 1 - count).queue().equals(last.key())) {
            count++;
        }
        // Only a lease that took from this queue alone goes on with the row of the lease before it.
        return count == tasks.size() && last.slot() == next ? leasedOfLast + count : count;
    }

    /** Begins a walk once around. */
    public Round round() {
        return new Round();
    }

    /** A walk once over the candidates, while nothing changes. */
    public final class Round {

        private final int began = next;
        private int at = next;
        private boolean wrapped;
        private int due;

        /** Returns the next queue that something may be leased from; null at the end. */
        @Nullable
        public QueueState next() {
            while (true) {
                int slot = candidates.nextSetBit(at);
                if (wrapped && (slot < 0 || slot >= began)) {
                    return null;
                }
                if (slot < 0) {
                    wrapped = true;
                    at = 0;
                    continue;
                }
                at = slot + 1;
                QueueState queue = queues.at(slot);
                if (queue != null
                        && queue.leasable() > 0
                        && queue.remainingLeases(cap) > 0
                        && selectorMatch.chooses(queue)) {
                    int weight = queue.options().weight();
                    due = slot == began && !wrapped ? Math.max(1, weight - leasedOfLast) : weight;
                    return queue;
                }
                // It is set again by the change that makes the queue leasable: see mayLease.
                candidates.clear(slot);
            }
        }

        /** The number of tasks that the queue returned last gives before the next one follows. */
        public int due() {
            return due;
        }
    }
}
