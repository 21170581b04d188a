package io.taskmaster.server.partition.read;

import io.taskmaster.server.engine.command.Decision.TaskRow;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.TimeHint;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.store.ScanLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reads that time needs to pass: the head of the stored time index, and the tasks of the hints that are due. What a
 * read brings is counted before the next one, and delayed tasks that are due are moved to their places, so that there
 * are never many of them in memory, however many wait for the same instant (ADR 3, ADR 7, ADR 20). Single-threaded:
 * owned by the partition's loop.
 *
 * <pre>{@code
 * state   | event                                     | next state | effect
 * --------+-------------------------------------------+------------+----------------------------------------------
 * idle    | catchUp(), time can pass                  | idle       | caughtUp()
 * idle    | catchUp(), something is not in memory     | reading    | due tasks are read, else rows of the index
 * reading | a result arrived, something still missing | reading    | the next read
 * reading | a result arrived, time can pass           | idle       | caughtUp()
 * reading | a read failed                             | resting    | failed()
 * resting | catchUp()                                 | resting    | nothing: the same read would fail again
 * resting | retry()                                   | idle       | the next catchUp() reads
 * reading | due tasks cannot all be moved yet         | blocked    | waits: memory or the log is full
 * blocked | catchUp()                                 | reading    | tried again
 * }</pre>
 */
final class TimeIndexLoader {

    private static final long SCAN_BYTES = 1 << 20;

    /** The observer of the reads. */
    interface Listener {

        /** Notifies that time has passed up to the instant of {@link #catchUp}. */
        void caughtUp();

        /** Notifies that a read has failed; {@link #retry} is to be called after a while. */
        void failed(Throwable failure);

        /**
         * Moves delayed tasks that are due. Returns false if some are left: {@link #catchUp} is then to be called again
         * after a while.
         */
        boolean activate();
    }

    private final PartitionState state;
    private final StoreReader reader;
    private final PartitionSettings settings;
    private final Listener listener;
    private boolean busy;
    private boolean blocked;
    private boolean backingOff;

    TimeIndexLoader(PartitionState state, StoreReader reader, PartitionSettings settings, Listener listener) {
        this.state = state;
        this.reader = reader;
        this.settings = settings;
        this.listener = listener;
    }

    /** Returns true if time is behind, and reads for it are in flight or have just failed. */
    boolean isBusy() {
        return busy || backingOff;
    }

    /** Ends the rest after a failed read. */
    void retry() {
        backingOff = false;
    }

    /** Reads until time can pass this instant. */
    void catchUp(long nowMillis) {
        // Every tick calls this while time is behind, and a failed read ends in a tick: without a rest, stored data
        // that
        // cannot be read would be read again and again at full speed.
        if (backingOff) {
            return;
        }
        if (!busy) {
            busy = true;
            loadNext(nowMillis);
        } else if (blocked) {
            blocked = false;
            loadNext(nowMillis);
        }
    }

    private void loadNext(long nowMillis) {
        boolean caughtUp = state.advance(nowMillis);
        boolean canActivateMore = listener.activate();
        if (caughtUp) {
            busy = false;
            listener.caughtUp();
            return;
        }
        if (!canActivateMore) {
            // Still busy: time counts as behind, so the end of every tick tries again.
            blocked = true;
            return;
        }
        List<TimeHint> due = state.hints().due(nowMillis, settings.indexRows(), settings.activationBytes());
        TimeHint from = state.hints().loadFrom();
        if (!due.isEmpty()) {
            readTasks(due, nowMillis);
        } else if (from != null) {
            readHints(from, nowMillis);
        } else {
            throw new IllegalStateException("time: stuck at " + nowMillis + " (expected: a hint that is due)");
        }
    }

    private void readTasks(List<TimeHint> due, long nowMillis) {
        List<TimeHint> unknown = new ArrayList<>();
        List<TaskRow> rows = new ArrayList<>();
        for (TimeHint hint : due) {
            QueueState queue = state.queue(hint.queue());
            if (queue == null
                    || queue.generation() != hint.generation()
                    || state.hints().isInMemory(hint)) {
                state.hints().settled(hint);
            } else {
                unknown.add(hint);
                rows.add(new TaskRow(hint.queue(), hint.generation(), hint.pid(), false));
            }
        }
        if (rows.isEmpty()) {
            // Every hint of the list is settled by now, so each round finds fewer.
            loadNext(nowMillis);
            return;
        }
        reader.tasks(rows, (id, found, failure) -> {
            if (found == null) {
                fail(failure);
                return;
            }
            for (int i = 0; i < unknown.size(); i++) {
                TimeHint hint = unknown.get(i);
                QueueState queue = state.queue(hint.queue());
                if (queue != null
                        && queue.generation() == hint.generation()
                        && found.get(i).isPresent()) {
                    state.reads().load(queue, found.get(i).get(), id);
                }
                state.hints().settled(hint);
            }
            loadNext(nowMillis);
        });
    }

    private void readHints(TimeHint from, long nowMillis) {
        reader.hints(from, new ScanLimit(settings.indexRows(), SCAN_BYTES), (id, hints, failure) -> {
            if (hints == null) {
                fail(failure);
                return;
            }
            state.hints().loaded(from, hints.hints(), hints.next());
            loadNext(nowMillis);
        });
    }

    private void fail(@Nullable Throwable failure) {
        busy = false;
        backingOff = true;
        listener.failed(failure == null ? new IllegalStateException("read: neither value nor failure") : failure);
    }
}
