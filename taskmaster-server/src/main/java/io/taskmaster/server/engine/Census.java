package io.taskmaster.server.engine;

import java.util.BitSet;
import java.util.Objects;

/**
 * All queues that one selector chooses, added up in slices, so that others overtake however many there are. Single-threaded: owned by
 * its partition.
 *
 * <p>Queues are counted in the order of their slots. One that changes and has been counted already is taken out before ({@link
 * #changing}) and put in again afterwards ({@link #changed}). So when the last one is counted, and as long as the census is kept, the
 * sizes are those of one instant: now. Rates and ages, which are soft, are those of when each queue was come by.
 */
final class Census {

    /** So many slots are counted before others get their turn on the loop: well under a millisecond. */
    private static final int SLICE = 2000;

    private final Choice choice;
    private final Queues queues;
    private final Totals totals = new Totals();

    /** Slots below this are counted, but for those whose queues came afterwards and whose names are not matched yet. */
    private int next;

    private final BitSet late = new BitSet();

    Census(Choice choice, Queues queues) {
        this.choice = choice;
        this.queues = queues;
    }

    /** Whether there are so few queues that one slice is all. */
    static boolean isShort(Queues queues) {
        return queues.slots() <= SLICE;
    }

    boolean isComplete() {
        return next >= queues.slots() && late.isEmpty();
    }

    /** What is counted. */
    Totals totals() {
        return totals;
    }

    /** Counts some more queues, of a choice that is known. True if there are none left. */
    boolean countOn(long nowMillis) {
        for (int slot = late.nextSetBit(0); slot >= 0; slot = late.nextSetBit(slot + 1)) {
            late.clear(slot);
            count(Objects.requireNonNull(queues.at(slot)), nowMillis);
        }
        int end = Math.min(queues.slots(), next + SLICE);
        while (next < end) {
            QueueState queue = choice.isRuledOut(next) ? null : queues.at(next);
            next++;
            if (queue != null) {
                count(queue, nowMillis);
            }
        }
        return isComplete();
    }

    private void count(QueueState queue, long nowMillis) {
        if (choice.chooses(queue)) {
            totals.add(queue, nowMillis);
        }
    }

    /** This queue is about to change its sizes. */
    void changing(QueueState queue) {
        if (isCounted(queue)) {
            totals.resize(queue, -1);
        }
    }

    /** This queue, which was about to, has changed its sizes. */
    void changed(QueueState queue) {
        if (isCounted(queue)) {
            totals.resize(queue, 1);
        }
    }

    /** This queue, which is empty, leaves its slot to another one. */
    void removed(QueueState queue) {
        choice.removed(queue);
        late.clear(queue.slot);
    }

    /** A queue whose name is too much work to match now is counted later; it is new, so its sizes are not in the sum yet. */
    private boolean isCounted(QueueState queue) {
        if (queue.slot >= next || late.get(queue.slot)) {
            return false;
        }
        if (!choice.isReady(queue)) {
            late.set(queue.slot);
            return false;
        }
        return choice.chooses(queue);
    }
}
