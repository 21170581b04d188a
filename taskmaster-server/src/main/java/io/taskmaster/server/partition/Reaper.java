package io.taskmaster.server.partition;

import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.ReapMark;
import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.partition.log.StoreCalls;
import io.taskmaster.server.store.Store;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The deletion of the rows of dead generations, one queue at a time and with pauses (paper section 5.2). Its marks are
 * durable before it begins, so a crash only delays it. Single-threaded: owned by the partition's loop.
 */
final class Reaper {

    private static final long PAUSE_MILLIS = 20;
    private static final long RETRY_MILLIS = 1000;

    private final Store store;
    private final PartitionLoop loop;
    private final StoreCalls calls;
    private final PartitionState state;
    private final RowKeys keys;
    private final ArrayDeque<ReapMark> marks = new ArrayDeque<>();
    private final Runnable changed;
    private boolean busy;
    private boolean stopped;

    /**
     * Creates a reaper.
     *
     * @param changed called when a mark can be forgotten: there is something to flush
     */
    Reaper(Store store, PartitionLoop loop, StoreCalls calls, PartitionState state, RowKeys keys, Runnable changed) {
        this.store = store;
        this.loop = loop;
        this.calls = calls;
        this.state = state;
        this.keys = keys;
        this.changed = changed;
    }

    /** Queues marks for deletion. They are durable, and so is every round that began before them. */
    void reap(Collection<ReapMark> durable) {
        marks.addAll(durable);
        next();
    }

    /** Deletes the remembered requests of the minutes before this time. If that fails, the next call does it. */
    void sweep(long untilMillis) {
        if (untilMillis > 0) {
            var _ = store.deleteRange(keys.requestsBelow(untilMillis / 60_000));
        }
    }

    void stop() {
        stopped = true;
    }

    private void next() {
        ReapMark mark = marks.peek();
        if (busy || stopped || mark == null) {
            return;
        }
        busy = true;
        calls.deliver(
                store.deleteRange(keys.tasksBelow(false, mark.queue(), mark.belowGeneration()))
                        .thenCompose(
                                _ -> store.deleteRange(keys.tasksBelow(true, mark.queue(), mark.belowGeneration()))),
                (_, failure) -> reaped(mark, failure));
    }

    private void reaped(ReapMark mark, @Nullable Throwable failure) {
        if (stopped) {
            return;
        }
        if (failure == null) {
            marks.remove();
            state.reaped(mark);
            changed.run();
        }
        loop.schedule(failure == null ? PAUSE_MILLIS : RETRY_MILLIS, () -> {
            busy = false;
            next();
        });
    }
}
