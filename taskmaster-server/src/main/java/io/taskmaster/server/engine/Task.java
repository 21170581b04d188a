package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.ApplyAtom.TaskChange;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one (queue, PID): the task, or that there is none. Single-threaded: owned by its {@link QueueState}.
 *
 * <p>Beside the task's value it carries how far that value has got to the rows. {@code DIRTY}: changed since a round took it.
 * {@code IN_ROUND}: a round has taken it and is not complete. Both can hold at once. It is clean when neither does; only then may it
 * be forgotten, and only when no read is under way that began before it became clean.
 */
public final class Task {

    /** Memory that a task costs beside its bytes: this object, its places in two trees, and its PID. */
    static final long OVERHEAD_BYTES = 360;

    final QueueState queue;
    final Pid pid;
    final long generation;

    boolean present;

    /** What its enqueue gave. Null if it is in the row only, which is never so while the task is delayed. */
    @Nullable
    Enqueued data;

    int dataBytes = -1;

    /** When they came, also after memory has let go of them; {@link Long#MAX_VALUE} if it never had them. */
    long enqueuedMillis = Long.MAX_VALUE;

    int attempt;

    @Nullable
    Grant grant;

    /** Whether an enqueue is remembered that takes its place. */
    boolean remembers;

    /** That enqueue. Null if there is none, or if it is in the row only. */
    @Nullable
    Enqueued rerun;

    /** Its lease ran out, or its delay is over, and that is counted in the queue. */
    boolean counted;

    boolean dirty;
    boolean dataDirty;
    boolean rerunDirty;
    boolean inRound;

    /** Which of its cells may be stored; none only if it was enqueued in this epoch and no round took it yet. */
    CellSet cells = CellSet.NONE;

    /** When its row in the time index fires, as far as known; 0 if it has none. */
    long storedFiresMillis;

    /** Reads with this id or a smaller one may show an older value. */
    long cleanSinceRead;

    /** How many parked commands wait for, or have seen, this entry. */
    int pins;

    /** Bytes that it is accounted with while it is in its queue's map. */
    long residentBytes;

    /** Bytes that it is accounted with while it is dirty. */
    long dirtyBytes;

    Task(QueueState queue, Pid pid) {
        this.queue = queue;
        this.pid = pid;
        this.generation = queue.generation;
    }

    public QueueState queue() {
        return queue;
    }

    public Pid pid() {
        return pid;
    }

    public boolean isPresent() {
        return present;
    }

    boolean isLeased() {
        return present && grant != null;
    }

    boolean isDelayed() {
        return data != null && data.notBeforeMillis() != 0;
    }

    /** Whether it waits for an instant: for the end of its lease or of its delay. */
    boolean isTimed() {
        return isLeased() || isDelayed();
    }

    /** The instant that it waits for; 0 if it does not. */
    long firesMillis() {
        Grant held = grant;
        Enqueued known = data;
        return held != null ? held.expiresMillis() : known != null ? known.notBeforeMillis() : 0;
    }

    /** Whether somebody may lease it: it is neither leased, unless its lease has been counted as expired, nor delayed. */
    boolean isReady() {
        return present && (grant == null || counted) && !isDelayed();
    }

    /** Whether what takes its place when it is dequeued is at hand, if there is such a thing. */
    boolean knowsRerun() {
        return !remembers || rerun != null;
    }

    boolean isClean() {
        return !dirty && !inRound;
    }

    /** A lease leaves the data where they are: only when its row is durable, {@link Residency#settle} lets go of them. */
    void change(TaskChange change, Deeds deeds, long nowMillis) {
        switch (change) {
            case ApplyAtom.Put put -> {
                deeds.enqueued(grant, nowMillis);
                become(put.data(), 0, null);
            }
            case ApplyAtom.Move move -> become(move.data(), move.attempt(), move.rerun());
            case ApplyAtom.Lease lease -> {
                deeds.leased(grant, lease.grant());
                present = true;
                grant = lease.grant();
                attempt = lease.attempt();
                remembers = lease.remembers();
            }
            case ApplyAtom.Free free -> {
                present = true;
                grant = null;
                attempt = free.attempt();
                remembers = free.remembers();
            }
            case ApplyAtom.Remember remember -> {
                present = true;
                grant = remember.grant();
                attempt = remember.attempt();
                remember(remember.rerun());
            }
            case ApplyAtom.Remove _ -> {
                deeds.dequeued(grant, nowMillis);
                present = false;
                grant = null;
                data = null;
                dataDirty = false;
                remember(null);
            }
        }
    }

    private void become(Enqueued newData, int newAttempt, @Nullable Enqueued newRerun) {
        present = true;
        learn(newData);
        dataDirty = true;
        attempt = newAttempt;
        grant = null;
        remember(newRerun);
    }

    private void remember(@Nullable Enqueued newRerun) {
        rerun = newRerun;
        remembers = newRerun != null;
        rerunDirty = newRerun != null;
    }

    void learn(Enqueued stored) {
        data = stored;
        dataBytes = stored.payload().data().size();
        enqueuedMillis = stored.enqueuedMillis();
    }

    long costBytes() {
        Enqueued known = data;
        Enqueued next = rerun;
        Grant held = grant;
        return OVERHEAD_BYTES
                + pid.size()
                + (known == null ? 0 : known.payload().bytes())
                + (next == null ? 0 : next.payload().bytes())
                + (held == null ? 0 : held.worker().length() + held.address().length());
    }

    @Override
    public String toString() {
        Grant held = grant;
        return pid
                + (!present
                        ? " gone"
                        : isDelayed() ? " delayed" : held == null ? " available" : " leased " + held.leaseId());
    }
}
