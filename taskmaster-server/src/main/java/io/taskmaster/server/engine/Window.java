package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a queue is known in memory (paper section 5.4, "first missing PID"). Single-threaded: owned by its queue.
 *
 * <p>Three bounds, {@code lowWater <= knownFrom <= firstMissing} where they matter:
 *
 * <ul>
 *   <li>below {@code lowWater} nothing is stored;
 *   <li>in {@code [knownFrom, firstMissing)} every task is in memory, leased ones included;
 *   <li>below {@code firstMissing} every task that somebody might lease is in memory. So between {@code lowWater} and
 *       {@code knownFrom} there may be stored tasks that are not in memory, but all of them are under a running lease.
 * </ul>
 *
 * When {@code firstMissing} is "none", the window reaches to the end of the queue. The window never says where a task outside it
 * is: such a task may be in memory all the same, because it is dirty or was read for a command.
 */
final class Window {

    private Pid lowWater = Pid.EMPTY;
    private Pid knownFrom = Pid.EMPTY;
    private @Nullable Pid firstMissing;

    /** Starts as that of a queue of which everything is known. */
    Window() {}

    boolean isComplete() {
        return firstMissing == null;
    }

    /** Where the next scan begins; not to be asked of a complete window. */
    Pid scanFrom() {
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

    /** Whether a task with this PID that is available would be in memory. */
    boolean covers(Pid pid) {
        Pid missing = firstMissing;
        return missing == null || pid.compareTo(missing) < 0;
    }

    /** Whether any task with this PID would be in memory. */
    boolean knows(Pid pid) {
        return pid.compareTo(lowWater) < 0 || (covers(pid) && pid.compareTo(knownFrom) >= 0);
    }

    /** All of the queue is known. */
    void completed() {
        firstMissing = null;
        knownFrom = Pid.EMPTY;
    }

    /** Nothing is known but where the stored tasks begin. */
    void unknownFrom(Pid lowest) {
        lowWater = lowest;
        knownFrom = lowest;
        firstMissing = lowest;
    }

    /** A scan has reached the end of the queue. */
    void reachedEnd() {
        firstMissing = null;
    }

    /** A scan has covered everything before {@code next}. */
    void extendedTo(Pid next) {
        firstMissing = next;
    }

    /** An available task was given up: it is the first that is missing now. */
    void missesFrom(Pid pid) {
        firstMissing = pid;
        if (knownFrom.compareTo(pid) > 0) {
            knownFrom = pid;
        }
    }

    /** A leased task was given up: above it, everything is known as before. */
    void forgotLeased(Pid pid) {
        Pid next = pid.successor();
        if (next.compareTo(knownFrom) > 0) {
            knownFrom = next;
        }
        Pid missing = firstMissing;
        if (missing != null && knownFrom.compareTo(missing) > 0) {
            knownFrom = missing;
        }
    }

    /** A task with this PID is going to be stored. */
    void stores(Pid pid) {
        if (pid.compareTo(lowWater) < 0) {
            if (knownFrom.compareTo(lowWater) <= 0) {
                knownFrom = pid;
            }
            lowWater = pid;
        }
    }

    /**
     * The lowest stored task is now {@code lowest} (of those in memory; null: none is in memory). Believed only where the window
     * knows everything down to the old mark.
     */
    void raiseLowWater(@Nullable Pid lowest) {
        if (knownFrom.compareTo(lowWater) > 0) {
            return;
        }
        Pid missing = firstMissing;
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
