package io.taskmaster.server.partition.flush;

import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.partition.context.PartitionContext;
import io.taskmaster.server.partition.context.PartitionRows;
import io.taskmaster.server.partition.loop.PartitionLoop;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The deletion of the rows of dead generations, one queue at a time and with pauses (paper section 5.2). Its marks are
 * durable before it begins, so a crash only delays it. Single-threaded: owned by the partition's loop.
 */
public final class Reaper {

    private static final long PAUSE_MILLIS = 20;
    private static final long RETRY_MILLIS = 1000;

    private final PartitionRows stored;
    private final PartitionLoop loop;
    private final PartitionState state;
    private final ArrayDeque<ReapMark> marks = new ArrayDeque<>();
    private boolean busy;
    private boolean stopped;

    public Reaper(PartitionContext context, PartitionRows stored) {
        this.stored = stored;
        this.loop = context.loop();
        this.state = context.state();
    }

    /** Queues marks for deletion. They are durable, and so is every round that began before them. */
    public void reap(Collection<ReapMark> durable) {
        marks.addAll(durable);
        next();
    }

    /** Deletes the remembered requests of the minutes before this time. If that fails, the next call does it. */
    public void sweep(long untilMillis) {
        if (untilMillis > 0) {
            var _ = stored.store().deleteRange(stored.keys().requestsBelow(untilMillis / 60_000));
        }
    }

    public void stop() {
        stopped = true;
    }

    private void next() {
        ReapMark mark = marks.peek();
        if (busy || stopped || mark == null) {
            return;
        }
        busy = true;
        stored.calls()
                .deliver(
                        stored.store()
                                .deleteRange(stored.keys().tasksBelow(false, mark.queue(), mark.belowGeneration()))
                                .thenCompose(_ -> stored.store()
                                        .deleteRange(
                                                stored.keys().tasksBelow(true, mark.queue(), mark.belowGeneration()))),
                        (_, failure) -> reaped(mark, failure));
    }

    private void reaped(ReapMark mark, @Nullable Throwable failure) {
        if (stopped) {
            return;
        }
        if (failure == null) {
            // Marks are added at the tail only, so the head is still the mark that was reaped.
            marks.remove();
            state.reaped(mark);
        }
        loop.schedule(failure == null ? PAUSE_MILLIS : RETRY_MILLIS, () -> {
            busy = false;
            next();
        });
    }
}
