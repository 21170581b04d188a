package io.taskmaster.server.partition;

import io.taskmaster.time.Deadlines;
import java.util.ArrayDeque;

/** Goes off at the earliest of the times that it was set to. Single-threaded: owned by the partition's loop. */
final class Alarm {

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
        if (atMillis != Long.MAX_VALUE && (timers.isEmpty() || atMillis < timers.getFirst())) {
            timers.addFirst(atMillis);
            loop.schedule(Math.max(0, Deadlines.millisUntil(atMillis, nowMillis)), () -> {
                timers.removeFirst();
                task.run();
            });
        }
    }
}
