package io.taskmaster.server.partition.loop;

import io.taskmaster.time.Deadlines;
import java.util.ArrayDeque;

/**
 * A timer of a partition that fires at the earliest of the times set. Single-threaded: owned by the partition's loop.
 */
public final class DeadlineTimer {

    private final PartitionLoop loop;
    private final Runnable task;

    /** The times at which timers fire, the earliest first. */
    private final ArrayDeque<Long> timers = new ArrayDeque<>();

    public DeadlineTimer(PartitionLoop loop, Runnable task) {
        this.loop = loop;
        this.task = task;
    }

    /**
     * Sets the timer to a time, unless it fires before.
     *
     * @param atMillis {@link Long#MAX_VALUE}: never
     */
    public void set(long atMillis, long nowMillis) {
        if (atMillis != Long.MAX_VALUE && (timers.isEmpty() || atMillis < timers.getFirst())) {
            timers.addFirst(atMillis);
            loop.schedule(Math.max(0, Deadlines.millisUntil(atMillis, nowMillis)), () -> {
                // A timer is set only at an earlier time than all that are pending, so the first of them fires first.
                timers.removeFirst();
                task.run();
            });
        }
    }
}
