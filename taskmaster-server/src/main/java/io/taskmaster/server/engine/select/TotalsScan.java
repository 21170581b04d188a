package io.taskmaster.server.engine.select;

import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import java.util.BitSet;
import java.util.Objects;

/**
 * The sum over all queues that one selector chooses, counted in slices, so that other commands run in between however
 * many queues there are. Single-threaded: owned by the partition's loop.
 *
 * <p>Queues are counted in the order of their slots. A queue that changes after it was counted is taken out before the
 * change ({@link #changing}) and put in again after it ({@link #changed}). So when the last one is counted, and as long
 * as the scan is kept, the sizes are those of one instant: now. Rates and ages, which are soft, are those of the time
 * at which each queue was counted.
 */
public final class TotalsScan {

    /** The number of slots per slice: well under a millisecond. */
    private static final int SLICE = 2000;

    private final SelectorMatch selectorMatch;
    private final Queues queues;
    private final SelectionTotals selectionTotals = new SelectionTotals();

    /**
     * The first slot that is not counted. Below it, only the {@code late} slots are not: their queues were created
     * afterwards and their names are not matched yet.
     */
    private int next;

    private final BitSet late = new BitSet();

    public TotalsScan(SelectorMatch selectorMatch, Queues queues) {
        this.selectorMatch = selectorMatch;
        this.queues = queues;
    }

    /** Returns whether a single slice covers all queues. */
    public static boolean isShort(Queues queues) {
        return queues.slots() <= SLICE;
    }

    boolean isComplete() {
        return next >= queues.slots() && late.isEmpty();
    }

    /** The sum so far. */
    public SelectionTotals selectionTotals() {
        return selectionTotals;
    }

    /**
     * Counts some more queues, of a choice that is known.
     *
     * @return whether there are none left
     */
    public boolean advance(long nowMillis) {
        for (int slot = late.nextSetBit(0); slot >= 0; slot = late.nextSetBit(slot + 1)) {
            late.clear(slot);
            count(Objects.requireNonNull(queues.at(slot)), nowMillis);
        }
        int end = Math.min(queues.slots(), next + SLICE);
        while (next < end) {
            QueueState queue = selectorMatch.isRuledOut(next) ? null : queues.at(next);
            next++;
            if (queue != null) {
                count(queue, nowMillis);
            }
        }
        return isComplete();
    }

    private void count(QueueState queue, long nowMillis) {
        if (selectorMatch.chooses(queue)) {
            selectionTotals.add(queue, nowMillis);
        }
    }

    /** Takes a queue out that is about to change its sizes. */
    void changing(QueueState queue) {
        if (isCounted(queue)) {
            selectionTotals.resize(queue, -1);
        }
    }

    /** Puts a queue in again that has changed its sizes. */
    void changed(QueueState queue) {
        if (isCounted(queue)) {
            selectionTotals.resize(queue, 1);
        }
    }

    /** Notes that a queue, which is empty, leaves its slot to another one. */
    void removed(QueueState queue) {
        selectorMatch.removed(queue);
        late.clear(queue.slot());
    }

    /**
     * Returns whether a queue is in the sum. One whose name is too much work to match now is counted later. It is new,
     * so its sizes are not in the sum yet.
     */
    private boolean isCounted(QueueState queue) {
        if (queue.slot() >= next || late.get(queue.slot())) {
            return false;
        }
        if (!selectorMatch.isReady(queue)) {
            late.set(queue.slot());
            return false;
        }
        return selectorMatch.chooses(queue);
    }
}
