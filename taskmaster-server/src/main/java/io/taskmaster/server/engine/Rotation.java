package io.taskmaster.server.engine;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The circle of queues that leases of one kind go around: each begins behind the queue that the one before ended with. So of so many
 * queues that have something to lease, each is served at least once in as many tasks.
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

    private int next;

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

    /** The queue that a lease ended with. */
    void served(QueueState last) {
        next = last.slot + 1;
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
                    return queue;
                }
                candidates.clear(slot);
            }
        }
    }
}
