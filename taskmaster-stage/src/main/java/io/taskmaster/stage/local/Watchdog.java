package io.taskmaster.stage.local;

import io.taskmaster.client.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds workers that hold a shared thread for long: while some are at work it looks at all of them every so often, and tells one that is in the same turn as at the look before,
 * once in a turn. A worker itself looks at no clock for it. Lock-free; thread-safe.
 */
final class Watchdog {

    /** Between two looks: a turn that takes less is not told, and one that takes twice as long is. */
    static final Duration INTERVAL = Duration.ofMillis(100);

    /** A worker that has a thread. Its last two fields belong to the look that is under way. */
    static final class Watch {

        private final Threads.Worker worker;
        private final Thread thread;
        private final int place;
        private int seenTurns = -1;
        private boolean told;

        Watch(Threads.Worker worker, Thread thread, int place) {
            this.worker = worker;
            this.thread = thread;
            this.place = place;
        }

        private void look() {
            int turns = worker.turns();
            if (turns != seenTurns) {
                seenTurns = turns;
                told = false;
            } else if (!told) {
                told = true;
                StackTraceElement[] where = thread.getStackTrace();
                if (worker.turns() == turns) {
                    worker.isSlow(where);
                }
            }
        }
    }

    private final Timer timer;
    private final AtomicReferenceArray<@Nullable Watch> watches;
    private final AtomicBoolean isLooking = new AtomicBoolean();

    /**
     * @param threads there are; if a pool has more at times, those are not watched
     */
    Watchdog(int threads, Timer timer) {
        this.timer = timer;
        this.watches = new AtomicReferenceArray<>(threads);
    }

    /** A worker begins, on the thread of the caller. Null: it is not watched. */
    @Nullable
    Watch begin(Threads.Worker worker) {
        Thread thread = Thread.currentThread();
        for (int i = 0; i < watches.length(); i++) {
            if (watches.getPlain(i) == null) {
                Watch watch = new Watch(worker, thread, i);
                if (watches.compareAndSet(i, null, watch)) {
                    lookSoon();
                    return watch;
                }
            }
        }
        return null;
    }

    /** Its thread is free. */
    void end(@Nullable Watch watch) {
        if (watch != null) {
            watches.setRelease(watch.place, null);
        }
    }

    private void lookSoon() {
        if (!isLooking.get() && isLooking.compareAndSet(false, true)) {
            timer.schedule(this::look, INTERVAL.toNanos());
        }
    }

    private void look() {
        boolean any = false;
        for (int i = 0; i < watches.length(); i++) {
            Watch watch = watches.get(i);
            if (watch != null) {
                any = true;
                watch.look();
            }
        }
        // A worker that begins after this look begins the next ones itself.
        isLooking.set(false);
        if (any) {
            lookSoon();
        }
    }
}
