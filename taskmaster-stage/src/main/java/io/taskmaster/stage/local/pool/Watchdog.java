package io.taskmaster.stage.local.pool;

import io.taskmaster.client.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A watchdog that finds workers which hold a shared thread for long. Lock-free; thread-safe.
 *
 * <p>While workers are running, it checks all of them every {@link #INTERVAL}. It reports a worker that is still in the
 * turn of the previous check, once per turn. Workers only count their turns for it; they read no clock.
 */
public final class Watchdog {

    /**
     * The time between two checks. A turn that takes less is never reported; one that takes twice as long always is.
     */
    public static final Duration INTERVAL = Duration.ofMillis(100);

    /** A worker that has a thread. Its last two fields belong to the check in progress; checks never overlap. */
    static final class Watch {

        private final Threads.Worker worker;
        private final Thread thread;
        private final int place;
        private int lastTurns = -1;
        private boolean reported;

        Watch(Threads.Worker worker, Thread thread, int place) {
            this.worker = worker;
            this.thread = thread;
            this.place = place;
        }

        private void check() {
            int turns = worker.turns();
            if (turns != lastTurns) {
                lastTurns = turns;
                reported = false;
            } else if (!reported) {
                reported = true;
                StackTraceElement[] stackTrace = thread.getStackTrace();
                // The stack is of the long turn only if that had not ended when it was taken.
                if (worker.turns() == turns) {
                    worker.isSlow(stackTrace);
                }
            }
        }
    }

    private final Timer timer;
    private final AtomicReferenceArray<@Nullable Watch> watches;
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    /** @param threads the number of threads that can be watched; a pool that has more at times has some that are not */
    Watchdog(int threads, Timer timer) {
        this.timer = timer;
        this.watches = new AtomicReferenceArray<>(threads);
    }

    /**
     * Begins to watch a worker that runs on the caller's thread. Returns null if all slots are in use; then it is not
     * watched.
     */
    @Nullable
    Watch begin(Threads.Worker worker) {
        Thread thread = Thread.currentThread();
        for (int i = 0; i < watches.length(); i++) {
            // A stale value costs a slot or a failed exchange and no more, since only the exchange takes the slot.
            if (watches.getPlain(i) == null) {
                Watch watch = new Watch(worker, thread, i);
                if (watches.compareAndSet(i, null, watch)) {
                    schedule();
                    return watch;
                }
            }
        }
        return null;
    }

    /** Ends the watch of a worker, whose thread is free from now on. */
    void end(@Nullable Watch watch) {
        if (watch != null) {
            watches.setRelease(watch.place, null);
        }
    }

    private void schedule() {
        // The plain check comes first, so workers that begin do not all write to the same variable.
        if (!isScheduled.get() && isScheduled.compareAndSet(false, true)) {
            timer.schedule(this::check, INTERVAL.toNanos());
        }
    }

    private void check() {
        boolean any = false;
        for (int i = 0; i < watches.length(); i++) {
            Watch watch = watches.get(i);
            if (watch != null) {
                any = true;
                watch.check();
            }
        }
        // A worker that begins after this pass schedules the next check itself.
        isScheduled.set(false);
        if (any) {
            schedule();
        }
    }
}
