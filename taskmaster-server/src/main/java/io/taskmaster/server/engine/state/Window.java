package io.taskmaster.server.engine.state;

import io.taskmaster.model.Pid;
import org.jspecify.annotations.Nullable;

/**
 * The part of a queue that is known in memory (paper section 5.4, "first missing PID";
 * {@code docs/adr/0002-three-bounds-of-a-window.md}). Single-threaded: owned by its queue.
 *
 * <p>Three bounds, {@code lowWater <= knownFrom <= firstMissing} where they matter:
 *
 * <ul>
 *   <li>below {@code lowWater} nothing is stored;
 *   <li>in {@code [knownFrom, firstMissing)} every task is in memory, leased ones included;
 *   <li>below {@code firstMissing} every task that may be leased is in memory. So between {@code lowWater} and
 *       {@code knownFrom} there may be stored tasks that are not in memory, but all of them are under a running lease.
 * </ul>
 *
 * When {@code firstMissing} is "none", the window reaches to the end of the queue. The window says nothing about tasks
 * outside it: such a task may be in memory all the same, because it is dirty or was read for a command.
 */
public final class Window {

    private Pid lowWater = Pid.EMPTY;
    private Pid knownFrom = Pid.EMPTY;
    private @Nullable Pid firstMissing;

    /** Makes the window of a queue of which everything is known. */
    Window() {}

    public boolean isComplete() {
        return firstMissing == null;
    }

    /** Returns the PID at which the next scan begins. Not to be called on a complete window. */
    public Pid scanFrom() {
        Pid missing = firstMissing;
        if (missing == null) {
            throw new IllegalStateException("window: complete (expected: something missing)");
        }
        return missing.compareTo(lowWater) < 0 ? lowWater : missing;
    }

    @Nullable
    Pid firstMissing() {
        return firstMissing;
    }

    Pid lowWater() {
        return lowWater;
    }

    Pid knownFrom() {
        return knownFrom;
    }

    /** Returns whether a task with this PID that is available would be in memory. */
    boolean covers(Pid pid) {
        Pid missing = firstMissing;
        return missing == null || pid.compareTo(missing) < 0;
    }

    /** Returns whether any task with this PID would be in memory. */
    boolean knows(Pid pid) {
        return pid.compareTo(lowWater) < 0 || (covers(pid) && pid.compareTo(knownFrom) >= 0);
    }

    /** Completes the window: all of the queue is known. */
    void completed() {
        firstMissing = null;
        knownFrom = Pid.EMPTY;
    }

    /** Resets the window: nothing is known but where the stored tasks begin. */
    void unknownFrom(Pid lowest) {
        lowWater = lowest;
        knownFrom = lowest;
        firstMissing = lowest;
    }

    /** Extends the window to the end of the queue, which a scan has reached. */
    void reachedEnd() {
        firstMissing = null;
    }

    /** Extends the window by a scan that has covered everything before {@code next}. */
    void extendedTo(Pid next) {
        firstMissing = next;
    }

    /** Shortens the window by an available task that was evicted: it is the first that is missing now. */
    void missesFrom(Pid pid) {
        firstMissing = pid;
        if (knownFrom.compareTo(pid) > 0) {
            knownFrom = pid;
        }
    }

    /** Notes that a leased task was evicted: above it, everything is known as before. */
    void forgotLeased(Pid pid) {
        Pid next = pid.successor();
        if (next.compareTo(knownFrom) > 0) {
            knownFrom = next;
        }
        // Beyond the first missing PID nothing is known anyway, so the bounds stay in order.
        Pid missing = firstMissing;
        if (missing != null && knownFrom.compareTo(missing) > 0) {
            knownFrom = missing;
        }
    }

    /** Lowers the low-water mark for a task with this PID, which is going to be stored. */
    void stores(Pid pid) {
        if (pid.compareTo(lowWater) < 0) {
            // If all was known down to the old mark, nothing is stored between the new task and it, so all is known
            // still.
            if (knownFrom.compareTo(lowWater) <= 0) {
                knownFrom = pid;
            }
            lowWater = pid;
        }
    }

    /**
     * Raises the low-water mark to the lowest stored task. Only possible where the window knows everything down to the
     * old mark.
     *
     * @param lowest the lowest task in memory; null: none is in memory
     */
    void raiseLowWater(@Nullable Pid lowest) {
        if (knownFrom.compareTo(lowWater) > 0) {
            return;
        }
        Pid missing = firstMissing;
        // Stored tasks from the first missing PID on may be unknown, so the mark cannot pass it.
        Pid mark = lowest;
        if (mark == null || (missing != null && missing.compareTo(mark) < 0)) {
            mark = missing;
        }
        if (mark != null && mark.compareTo(lowWater) > 0) {
            lowWater = mark;
            knownFrom = mark;
        }
    }
}
