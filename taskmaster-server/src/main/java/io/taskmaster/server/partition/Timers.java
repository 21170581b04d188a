package io.taskmaster.server.partition;

import io.taskmaster.time.Deadlines;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a loop, in the order in which they are due; those that are due together, in the order in which they were set. A delay
 * beyond {@link Deadlines#FAR_NANOS} goes off then, long before its time, and is for its owner to set again. Single-threaded: owned by the
 * loop.
 */
final class Timers {

    private record Timer(long dueNanos, long number, Runnable task) implements Comparable<Timer> {

        @Override
        public int compareTo(Timer other) {
            long difference = dueNanos - other.dueNanos;
            return difference != 0 ? Long.signum(difference) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long made;

    void add(long nowNanos, long delayMillis, Runnable task) {
        timers.add(new Timer(Deadlines.afterNanos(nowNanos, Deadlines.nanos(delayMillis)), made++, task));
    }

    boolean isEmpty() {
        return timers.isEmpty();
    }

    /** How long until the next one is due; 0 or less if it is. {@link Deadlines#FAR_NANOS} if there is none. */
    long nanosUntilNext(long nowNanos) {
        Timer first = timers.peek();
        return first == null ? Deadlines.FAR_NANOS : first.dueNanos - nowNanos;
    }

    /** Takes the next one that is due; null if none is. */
    @Nullable
    Runnable takeDue(long nowNanos) {
        Timer first = timers.peek();
        if (first == null || first.dueNanos - nowNanos > 0) {
            return null;
        }
        timers.remove();
        return first.task;
    }
}
