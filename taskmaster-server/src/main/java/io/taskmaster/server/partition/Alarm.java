package io.taskmaster.server.partition;

import io.taskmaster.time.Deadlines;
import java.util.ArrayDeque;

/**
 * Goes off at the earliest of the times that it was set to, or too early, and is set again then. Single-threaded: owned by the partition's loop.
 *
 * <p>Its times are of the engine's clock, its timers of the monotonic one. The engine's clock may be faster, and may be set ahead, so no timer
 * runs for longer than {@value #LONGEST_MILLIS} ms: that is how late it can be.
 */
final class Alarm {

    private static final long LONGEST_MILLIS = 60_000;

    private final PartitionLoop loop;
    private final Runnable task;

    /** When timers go off; the next one first. */
    private final ArrayDeque<Long> timers = new ArrayDeque<>();

    Alarm(PartitionLoop loop, Runnable task) {
        this.loop = loop;
        this.task = task;
    }

    /**
     * Sets it, unless it goes off before.
     *
     * @param atMillis {@link Long#MAX_VALUE}: never
     */
    void set(long atMillis, long nowMillis) {
        long delayMillis = Math.clamp(Deadlines.millisUntil(atMillis, nowMillis), 0, LONGEST_MILLIS);
        long timer = Deadlines.afterMillis(nowMillis, delayMillis);
        if (atMillis != Long.MAX_VALUE && (timers.isEmpty() || timer < timers.getFirst())) {
            timers.addFirst(timer);
            loop.schedule(delayMillis, () -> {
                timers.removeFirst();
                task.run();
            });
        }
    }
}
