package io.taskmaster.server.engine.state;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of memory for one (queue, PID): the task, or the knowledge that there is none. Single-threaded: owned by its
 * {@link QueueState}.
 *
 * <p>Beside the task's value it has how far that value has got to the rows. {@link #dirty}: changed since a round took
 * it. {@link #inRound}: a round has taken it and is not complete. Both can hold at once. The entry is clean when
 * neither holds. Only a clean entry may leave memory, and only when no read is in flight that began before it became
 * clean ({@link Residency}).
 *
 * <pre>{@code
 * state           | event                                  | next state      | effect
 * --------------- | -------------------------------------- | --------------- | ------------------------------------
 * no entry        | an atom changes the task               | dirty           | listed for the next round
 * no entry        | a read returns the row, or its absence | clean           | takes the value of the row
 * clean           | an atom changes the task               | dirty           | listed for the next round
 * clean           | settle or evict, no older read, no pin | clean, no entry | see Residency.settle
 * dirty           | an atom changes the task               | dirty           | -
 * dirty           | it is removed and has no stored cell   | no entry        | never touches the rows
 * dirty           | a round takes it                       | in round        | a TaskWrite with its present value
 * dirty           | a round takes it; gone, nothing stored | clean           | settles, is not written
 * in round        | an atom changes the task               | dirty, in round | listed for the round after
 * in round        | its round is durable                   | clean           | cleanSinceRead is set, settles
 * dirty, in round | an atom changes the task               | dirty, in round | -
 * dirty, in round | its round is durable                   | dirty           | cleanSinceRead is set
 * any             | new generation of the queue            | no entry        | no write: its row is garbage
 * }</pre>
 */
public final class Task {

    /** The memory that a task costs beside its bytes: this object, its places in two trees, and its PID. */
    static final long OVERHEAD_BYTES = 360;

    final QueueState queue;
    final Pid pid;
    final long generation;

    boolean present;

    /** The data of its enqueue. Null if they are in the row only, which is never so while the task is delayed. */
    @Nullable
    Enqueued data;

    int dataBytes = -1;

    /** The time of its enqueue, also after memory has dropped the data; {@link Long#MAX_VALUE} if it never had them. */
    long enqueuedMillis = Long.MAX_VALUE;

    int attempt;

    @Nullable
    Grant grant;

    /** Set if a rerun is remembered: an enqueue that takes its place when it is dequeued. */
    boolean remembers;

    /** The rerun. Null if there is none, or if it is in the row only. */
    @Nullable
    Enqueued rerun;

    /** Set if its lease has expired, or its delay is over, and that is counted in the queue. */
    boolean counted;

    boolean dirty;
    boolean dataDirty;
    boolean rerunDirty;
    boolean inRound;

    /** The cells that may be stored; none only if it was enqueued in this epoch and no round took it yet. */
    CellSet cells = CellSet.NONE;

    /** The instant of its row in the time index, as far as known; 0 if it has none. */
    long storedFiresMillis;

    /** Reads with this id or a smaller one may show an older value. */
    long cleanSinceRead;

    /** The number of parked commands that wait for this entry, or have seen it. */
    int pins;

    /** The bytes that it is accounted with while it is in its queue's map. */
    long residentBytes;

    /** The bytes that it is accounted with while it is dirty. */
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

    @Nullable
    public Enqueued data() {
        return data;
    }

    @Nullable
    public Grant grant() {
        return grant;
    }

    public int attempt() {
        return attempt;
    }

    public boolean remembers() {
        return remembers;
    }

    @Nullable
    public Enqueued rerun() {
        return rerun;
    }

    public boolean isPresent() {
        return present;
    }

    boolean isLeased() {
        return present && grant != null;
    }

    public boolean isDelayed() {
        return data != null && data.notBeforeMillis() != 0;
    }

    /** Returns whether it waits for an instant: the end of its lease or of its delay. */
    boolean isTimed() {
        return isLeased() || isDelayed();
    }

    /** The instant that it waits for; 0 if there is none. */
    public long firesMillis() {
        Grant held = grant;
        Enqueued known = data;
        return held != null ? held.expiresMillis() : known != null ? known.notBeforeMillis() : 0;
    }

    /**
     * Returns whether it may be leased: it is not delayed, and not leased unless its lease has been counted as expired.
     */
    boolean isReady() {
        return present && (grant == null || counted) && !isDelayed();
    }

    /** Returns whether its rerun is in memory, if there is one. */
    public boolean knowsRerun() {
        return !remembers || rerun != null;
    }

    boolean isClean() {
        return !dirty && !inRound;
    }

    /**
     * Changes the task as an atom says. A lease leaves the data where they are: {@link Residency#settle} drops them
     * once the row is durable.
     */
    void change(TaskChange change, TaskCounts taskCounts, long nowMillis) {
        switch (change) {
            case ApplyAtom.Put put -> {
                taskCounts.enqueued(grant, nowMillis);
                become(put.data(), 0, null);
            }
            case ApplyAtom.Move move -> become(move.data(), move.attempt(), move.rerun());
            case ApplyAtom.Lease lease -> {
                taskCounts.leased(grant, lease.grant());
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
                taskCounts.dequeued(grant, nowMillis);
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
        load(newData);
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

    void load(Enqueued stored) {
        data = stored;
        dataBytes = stored.payload().data().size();
        enqueuedMillis = stored.enqueuedMillis();
    }

    public long costBytes() {
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
