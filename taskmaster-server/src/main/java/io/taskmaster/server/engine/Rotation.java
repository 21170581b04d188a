package io.taskmaster.server.engine;

import io.taskmaster.server.engine.Reply.LeasedTask;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The circle of queues that leases of one kind go around: a queue gives as many tasks in its turn as it has weight, and each lease goes
 * on where the one before ended, be it in the middle of a turn. So the order in which queues are served does not depend on how large
 * the leases are, and of queues that have something to lease, each is served at least once in as many tasks as all have weight.
 *
 * <p>Every queue that is chosen and may be leased from is on the circle. Others may be: one that has nothing left is taken off when a
 * lease comes by, and whatever may change that puts it on again. So a lease costs what it takes, and not what there is.
 *
 * <p>Two things are not said by that. A queue whose head must be read from the store first misses its turn if another one has something
 * to give: it is read for the next who comes by. And a lease with a largest PID may find nothing in queues that others could lease from,
 * which stay on the circle; so in the worst case it visits every queue that holds tasks. Single-threaded: owned by its partition.
 */
final class Rotation {

    private final Choice choice;
    private final Queues queues;
    private final long cap;

    /** By slot. */
    private final BitSet candidates;

    /** Whose turn it is, and how many tasks that queue has given in it. */
    private int next;

    private int given;

    /**
     * @param candidates the slots of all that may be chosen, to be kept from here on
     */
    Rotation(Choice choice, Queues queues, long cap, BitSet candidates) {
        this.choice = choice;
        this.queues = queues;
        this.cap = cap;
        this.candidates = candidates;
    }

    void mayLease(QueueState queue) {
        candidates.set(queue.slot);
    }

    /**
     * A lease was granted.
     *
     * @param last the queue of the last of its tasks
     */
    void served(QueueState last, List<LeasedTask> tasks) {
        int weight = last.options.weight();
        given = weight == 1 ? 0 : givenBy(last, tasks) % weight;
        next = given == 0 ? last.slot + 1 : last.slot;
    }

    /** How many tasks the last queue has given without another one between: those of the lease before count if that ended with it. */
    private int givenBy(QueueState last, List<LeasedTask> tasks) {
        int count = 0;
        while (count < tasks.size()
                && tasks.get(tasks.size() - 1 - count).queue().equals(last.key)) {
            count++;
        }
        return count == tasks.size() && last.slot == next ? given + count : count;
    }

    /** Once around. */
    Round round() {
        return new Round();
    }

    /** One time around the circle, while nothing changes. */
    final class Round {

        private final int began = next;
        private int at = next;
        private boolean wrapped;
        private int due;

        /** The next queue that something may be leased from; null if that was all. */
        @Nullable
        QueueState next() {
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
                if (queue != null && queue.leasable() > 0 && queue.leasesLeft(cap) > 0 && choice.chooses(queue)) {
                    int weight = queue.options.weight();
                    due = slot == began && !wrapped ? Math.max(1, weight - given) : weight;
                    return queue;
                }
                candidates.clear(slot);
            }
        }

        /** How many tasks the queue that came last gives in this turn. */
        int due() {
            return due;
        }
    }
}
