package io.taskmaster.server.partition.loop;

import io.taskmaster.time.Deadlines;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a loop, ordered by the time at which they are due, then by the order in which they were set. A delay
 * beyond {@link Deadlines#FAR_NANOS} fires at that bound, long before its time, and its owner has to set it again.
 * Single-threaded: owned by the loop.
 */
public final class Timers {

    private record Timer(long dueNanos, long number, Runnable task) implements Comparable<Timer> {

        @Override
        public int compareTo(Timer other) {
            // By difference, as the monotonic clock may overflow.
            long difference = dueNanos - other.dueNanos;
            return difference != 0 ? Long.signum(difference) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long nextNumber;

    public void add(long nowNanos, long delayMillis, Runnable task) {
        timers.add(new Timer(Deadlines.afterNanos(nowNanos, Deadlines.nanos(delayMillis)), nextNumber++, task));
    }

    public boolean isEmpty() {
        return timers.isEmpty();
    }

    /** The time until the next one is due; 0 or less if one is. {@link Deadlines#FAR_NANOS} if there is none. */
    public long nanosUntilNext(long nowNanos) {
        Timer first = timers.peek();
        return first == null ? Deadlines.FAR_NANOS : first.dueNanos - nowNanos;
    }

    /** Removes and returns the next timer that is due; null if none is. */
    @Nullable
    public Runnable takeDue(long nowNanos) {
        Timer first = timers.peek();
        if (first == null || first.dueNanos - nowNanos > 0) {
            return null;
        }
        timers.remove();
        return first.task;
    }
}
