package io.taskmaster.bench.load;

import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A connection's share of the operations in flight. Everything, bookkeeping included, happens on the event loop of the
 * connection, so nothing is shared and nothing is locked. After a failed operation the next one starts 10 ms later, so
 * that a server that refuses is not called in a tight loop. Single-threaded: owned by that event loop.
 */
final class Lane {

    private static final long PAUSE_AFTER_ERROR_MILLIS = 10;

    private final EventLoop loop;
    private final Session session;
    private final LoadWindow loadWindow;
    private final Tally tally = new Tally();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private int outstanding;
    private boolean abandoned;

    Lane(EventLoop loop, Session session, LoadWindow loadWindow) {
        this.loop = loop;
        this.session = session;
        this.loadWindow = loadWindow;
    }

    /** Starts with this number of slots. The future completes when the window is over and every operation has ended. */
    CompletableFuture<Void> start(int slots) {
        loop.execute(() -> {
            outstanding = slots;
            for (int i = 0; i < slots; i++) {
                beginOrFinish(new Slot(this), System.nanoTime());
            }
        });
        return drained;
    }

    /**
     * Runs an action on the lane's thread, immediately if the caller is on it. Failures of a broken connection arrive
     * on other threads.
     */
    void onLoop(Runnable action) {
        if (!loop.inEventLoop()) {
            loop.execute(() -> onLoop(action));
        } else if (!abandoned) {
            action.run();
        }
    }

    /**
     * Runs an action on the lane's thread, but never inside the calling method: an operation that succeeds at once and
     * starts the next one would otherwise deepen the stack with each operation.
     */
    void later(Runnable action) {
        loop.execute(() -> onLoop(action));
    }

    void succeeded(Slot slot, int tasks) {
        long nowNanos = System.nanoTime();
        tally.succeeded(nowNanos - slot.startedNanos(), tasks, loadWindow.measures(nowNanos));
        beginOrFinish(slot, nowNanos);
    }

    void failed(Slot slot, String reason) {
        tally.failed(reason);
        var _ = loop.schedule(
                () -> beginOrFinish(slot, System.nanoTime()), PAUSE_AFTER_ERROR_MILLIS, TimeUnit.MILLISECONDS);
    }

    void onExhausted() {
        loadWindow.end(System.nanoTime());
        finish();
    }

    Tally tally() {
        return tally;
    }

    /**
     * Stops counting, whatever is still answered. Blocks.
     *
     * @return the number of operations that have not ended
     */
    int abandon() throws InterruptedException {
        return loop.submit(() -> {
                    abandoned = true;
                    return outstanding;
                })
                .sync()
                .getNow();
    }

    private void beginOrFinish(Slot slot, long nowNanos) {
        if (loadWindow.isEnded(nowNanos)) {
            finish();
        } else {
            slot.begin(nowNanos, session);
        }
    }

    private void finish() {
        outstanding--;
        if (outstanding == 0) {
            drained.complete(null);
        }
    }
}
