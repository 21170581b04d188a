package io.taskmaster.bench.load;

import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One connection with its share of the outstanding operations. All of it, bookkeeping included, happens on the event loop of the
 * connection, so nothing is shared and nothing is locked. A failed operation is followed by the next one only after a short pause:
 * a server that refuses must not be asked in a tight loop. Single-threaded: owned by that event loop.
 */
final class Lane {

    private static final long PAUSE_AFTER_ERROR_MILLIS = 10;

    private final EventLoop loop;
    private final Session session;
    private final Window window;
    private final Tally tally = new Tally();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private int outstanding;
    private boolean abandoned;

    Lane(EventLoop loop, Session session, Window window) {
        this.loop = loop;
        this.session = session;
        this.window = window;
    }

    /** Begins with so many slots. Complete when the window is over and every operation has ended. */
    CompletableFuture<Void> start(int slots) {
        loop.execute(() -> {
            outstanding = slots;
            for (int i = 0; i < slots; i++) {
                beginOrLeave(new Slot(this), System.nanoTime());
            }
        });
        return drained;
    }

    /** Runs on the lane's thread: at once if this is it. Failures of a broken connection arrive on others. */
    void onLoop(Runnable action) {
        if (!loop.inEventLoop()) {
            loop.execute(() -> onLoop(action));
        } else if (!abandoned) {
            action.run();
        }
    }

    /** Runs on the lane's thread, and not at once: what succeeds and begins again there would go ever deeper. */
    void later(Runnable action) {
        loop.execute(() -> onLoop(action));
    }

    void succeeded(Slot slot, int tasks) {
        long nowNanos = System.nanoTime();
        tally.succeeded(nowNanos - slot.startedNanos(), tasks, window.measures(nowNanos));
        beginOrLeave(slot, nowNanos);
    }

    void failed(Slot slot, String reason) {
        tally.failed(reason);
        var _ = loop.schedule(
                () -> beginOrLeave(slot, System.nanoTime()), PAUSE_AFTER_ERROR_MILLIS, TimeUnit.MILLISECONDS);
    }

    void ranDry() {
        window.end(System.nanoTime());
        leave();
    }

    Tally tally() {
        return tally;
    }

    /** Counts nothing any more, whatever is still answered. Returns how many operations have not ended. Blocks. */
    int abandon() throws InterruptedException {
        return loop.submit(() -> {
                    abandoned = true;
                    return outstanding;
                })
                .sync()
                .getNow();
    }

    private void beginOrLeave(Slot slot, long nowNanos) {
        if (window.isOver(nowNanos)) {
            leave();
        } else {
            slot.begin(nowNanos, session);
        }
    }

    private void leave() {
        outstanding--;
        if (outstanding == 0) {
            drained.complete(null);
        }
    }
}
