package io.taskmaster.server.partition;

import io.taskmaster.server.engine.Decision;
import io.taskmaster.server.engine.Decision.TaskRow;
import io.taskmaster.server.engine.ExpiryHint;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.QueueState;
import io.taskmaster.server.store.ScanLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what time needs to pass: the head of the stored time index, and the tasks of the hints that are due. Single-threaded: owned
 * by the partition's loop.
 */
final class TimeKeeper {

    private static final long SCAN_BYTES = 1 << 20;

    private final PartitionState state;
    private final StoreReader reader;
    private final PartitionSettings settings;
    private final Runnable caughtUp;
    private final BiConsumer<Decision.Need, Throwable> failed;
    private boolean busy;

    /**
     * @param caughtUp called when time could pass up to the instant that was asked for
     */
    TimeKeeper(
            PartitionState state,
            StoreReader reader,
            PartitionSettings settings,
            Runnable caughtUp,
            BiConsumer<Decision.Need, Throwable> failed) {
        this.state = state;
        this.reader = reader;
        this.settings = settings;
        this.caughtUp = caughtUp;
        this.failed = failed;
    }

    /** Reads until time can pass this instant. */
    void catchUp(long nowMillis) {
        if (!busy) {
            busy = true;
            go(nowMillis);
        }
    }

    private void go(long nowMillis) {
        if (state.advance(nowMillis)) {
            busy = false;
            caughtUp.run();
            return;
        }
        List<ExpiryHint> due = state.hintsDue(nowMillis, settings.indexRows());
        ExpiryHint from = state.loadHintsFrom();
        if (!due.isEmpty()) {
            readTasks(due, nowMillis);
        } else if (from != null) {
            readHints(from, nowMillis);
        } else {
            throw new IllegalStateException("time: stuck at " + nowMillis + " (expected: a hint that is due)");
        }
    }

    private void readTasks(List<ExpiryHint> due, long nowMillis) {
        List<ExpiryHint> unknown = new ArrayList<>();
        List<TaskRow> wanted = new ArrayList<>();
        for (ExpiryHint hint : due) {
            QueueState queue = state.queue(hint.queue());
            if (queue == null || queue.generation() != hint.generation() || state.isInMemory(hint)) {
                state.hintSettled(hint);
            } else {
                unknown.add(hint);
                wanted.add(new TaskRow(hint.queue(), hint.generation(), hint.pid()));
            }
        }
        if (wanted.isEmpty()) {
            go(nowMillis);
            return;
        }
        reader.tasks(wanted, (id, found, failure) -> {
            if (found == null) {
                fail(failure);
                return;
            }
            for (int i = 0; i < unknown.size(); i++) {
                ExpiryHint hint = unknown.get(i);
                QueueState queue = state.queue(hint.queue());
                if (queue != null
                        && queue.generation() == hint.generation()
                        && found.get(i).isPresent()) {
                    state.learn(queue, found.get(i).get(), id);
                }
                state.hintSettled(hint);
            }
            go(nowMillis);
        });
    }

    private void readHints(ExpiryHint from, long nowMillis) {
        reader.hints(from, new ScanLimit(settings.indexRows(), SCAN_BYTES), (id, hints, failure) -> {
            if (hints == null) {
                fail(failure);
                return;
            }
            state.hintsLoaded(from, hints.hints(), hints.next());
            go(nowMillis);
        });
    }

    private void fail(@Nullable Throwable failure) {
        busy = false;
        failed.accept(
                new Decision.Time(),
                failure == null ? new IllegalStateException("read: neither value nor failure") : failure);
    }
}
