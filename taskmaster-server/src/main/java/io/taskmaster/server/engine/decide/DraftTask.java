package io.taskmaster.server.engine.decide;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.state.Task;
import org.jspecify.annotations.Nullable;

/**
 * A task in a {@link Draft}: its present state, and the one that the update would leave. Single-threaded: lives for one
 * decision.
 */
final class DraftTask {

    private enum Change {
        NONE,
        /** Its lease, and its rerun. */
        LEASE,
        /** Its place; the data stay the same. */
        PLACE,
        /** Everything: it is new, or gone. */
        ALL
    }

    final Pid pid;
    private final boolean wasPresent;
    private final @Nullable Task base;
    boolean present;
    long notBeforeMillis;

    @Nullable
    Grant grant;

    private int attempt;
    private boolean remembers;

    /** Its new data; null: those of the base. */
    private @Nullable Enqueued data;

    private @Nullable Enqueued rerun;
    private Change change = Change.NONE;
    private boolean rerunChanged;

    /** @param base the task that is there; null: none is */
    DraftTask(Pid pid, @Nullable Task base) {
        this.pid = pid;
        this.base = base;
        this.wasPresent = base != null;
        this.present = wasPresent;
        if (base != null) {
            notBeforeMillis = base.isDelayed() ? base.firesMillis() : 0;
            grant = base.grant();
            attempt = base.attempt();
            remembers = base.remembers();
            rerun = base.rerun();
        }
    }

    void put(Enqueued newData) {
        become(newData);
        attempt = 0;
        remembers = false;
        change = Change.ALL;
    }

    void renew(Grant renewed) {
        grant = renewed;
        change = Change.LEASE;
    }

    /** Takes the attempt back: no handler has worked on it under this lease. */
    void revertAttempt() {
        attempt = Math.max(0, attempt - 1);
    }

    void free(long notBefore) {
        grant = null;
        if (notBefore == 0) {
            change = Change.LEASE;
        } else {
            become(currentData().notBefore(notBefore));
            change = Change.PLACE;
        }
    }

    /** Sets the rerun that takes its place when it is dequeued. */
    void remember(Enqueued newRerun) {
        rerun = newRerun;
        remembers = true;
        rerunChanged = true;
        // Only a task that is held comes here, so at most its lease has changed before.
        change = change == Change.NONE ? Change.LEASE : change;
    }

    void remove(long nowMillis) {
        if (remembers) {
            put(currentRerun().asOf(nowMillis));
        } else {
            present = false;
            grant = null;
            notBeforeMillis = 0;
            change = Change.ALL;
        }
    }

    private void become(Enqueued newData) {
        present = true;
        grant = null;
        data = newData;
        notBeforeMillis = newData.notBeforeMillis();
    }

    private Enqueued currentData() {
        Enqueued known = data != null || base == null ? data : base.data();
        if (known == null) {
            throw new IllegalStateException("task: " + base + " (expected: read before it is moved)");
        }
        return known;
    }

    private Enqueued currentRerun() {
        Enqueued known = rerun;
        if (known == null) {
            throw new IllegalStateException(
                    "task: " + base + " (expected: what is remembered read before it is dequeued)");
        }
        return known;
    }

    /** Returns the change; null if it stays as it was. */
    @Nullable
    TaskChange toChange() {
        return switch (change) {
            case NONE -> null;
            case LEASE -> leaseChange();
            case PLACE -> new ApplyAtom.Move(pid, currentData(), attempt, remembers ? currentRerun() : null);
            case ALL -> present ? new ApplyAtom.Put(pid, currentData()) : wasPresent ? new ApplyAtom.Remove(pid) : null;
        };
    }

    private TaskChange leaseChange() {
        Grant held = grant;
        if (held == null) {
            return new ApplyAtom.Free(pid, attempt, remembers);
        }
        return rerunChanged
                ? new ApplyAtom.Remember(pid, held, attempt, currentRerun())
                : new ApplyAtom.Lease(pid, held, attempt, remembers);
    }
}
