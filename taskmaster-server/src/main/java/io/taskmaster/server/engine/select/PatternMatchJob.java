package io.taskmaster.server.engine.select;

import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import org.jspecify.annotations.Nullable;

/**
 * A match of all names that a selector's pattern was not matched against yet, in slices and off the loop
 * ({@code docs/adr/0014-patterns-beside-the-loop.md}). First it adds up the work ({@link #estimateSlice}), so that too
 * much of it is refused before any is done. Then it hands out the names in slices ({@link #next}), which are matched on
 * other threads, and takes in the outcome ({@link #apply}). Single-threaded: owned by the partition's loop.
 */
public final class PatternMatchJob {

    /** The work of a slice, in steps, unless a single name is more. */
    static final long SLICE_STEPS = 200_000;

    /** The number of slots to visit in one loop tick: well under a millisecond. */
    private static final int SLOTS_AT_ONCE = 10_000;

    private static final int SLICE_NAMES = 2_000;

    private final SelectorMatch selectorMatch;
    private final Queues queues;
    private int nextEstimated;
    private long cost;
    private int next;

    PatternMatchJob(SelectorMatch selectorMatch, Queues queues) {
        this.selectorMatch = selectorMatch;
        this.queues = queues;
    }

    /**
     * Adds up some more of the work.
     *
     * @return whether that is complete
     */
    public boolean estimateSlice() {
        int end = Math.min(queues.slots(), nextEstimated + SLOTS_AT_ONCE);
        for (int slot = selectorMatch.nextUnknown(nextEstimated);
                slot < end;
                slot = selectorMatch.nextUnknown(slot + 1)) {
            QueueState queue = queues.at(slot);
            cost += queue == null ? 0 : selectorMatch.steps(queue);
        }
        nextEstimated = end;
        return end == queues.slots();
    }

    /** The work that is left, as far as added up, at most. */
    public long cost() {
        return cost;
    }

    /** The number of instructions of the pattern. */
    public int instructions() {
        return selectorMatch.pattern().instructions();
    }

    /** Returns some names to be matched, maybe none; null: so few are left that they can be matched inline. */
    public @Nullable PatternMatchSlice next() {
        if (next >= queues.slots()) {
            if (selectorMatch.isKnown()) {
                return null;
            }
            // Other queues were created meanwhile, in slots that were free.
            next = 0;
        }
        PatternMatchSlice slice = new PatternMatchSlice(selectorMatch.pattern());
        int end = Math.min(queues.slots(), next + SLOTS_AT_ONCE);
        for (next = selectorMatch.nextUnknown(next); next < end; next = selectorMatch.nextUnknown(next + 1)) {
            QueueState queue = queues.at(next);
            if (queue != null && !add(queue, slice)) {
                return slice;
            }
        }
        next = Math.max(next, end);
        return slice;
    }

    /**
     * Adds a queue to the slice, if its name has to be matched.
     *
     * @return false if the slice is full
     */
    private boolean add(QueueState queue, PatternMatchSlice slice) {
        if (!selectorMatch.isOpen(queue)) {
            // The group or the name alone decides, so there is nothing to offload.
            selectorMatch.record(queue, selectorMatch.isNamed(queue));
            return true;
        }
        long steps = selectorMatch.steps(queue);
        if (slice.names() == SLICE_NAMES || (slice.names() > 0 && slice.steps() + steps > SLICE_STEPS)) {
            return false;
        }
        slice.add(queue, steps);
        return true;
    }

    /** Takes in the outcome of a slice. */
    public void apply(PatternMatchSlice matched) {
        matched.applyTo(selectorMatch);
    }
}
