package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.Command.Payload;
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
    static final long OVERHEAD_BYTES = 320;

    final QueueState queue;
    final Pid pid;
    final long generation;

    boolean present;

    @Nullable
    Payload payload;

    int dataBytes = -1;
    long enqueuedMillis;
    int attempt;

    @Nullable
    Grant grant;

    /** Its lease ran out and is counted so in the queue. */
    boolean counted;

    boolean dirty;
    boolean dataDirty;
    boolean inRound;

    /** Whether its row may be there; false only if it was enqueued in this epoch and no round took it yet. */
    boolean maybeStored;

    /** Whether its row may have a state cell. */
    boolean maybeStateStored;

    /** When its row in the time index fires, as far as known; 0 if it has none. */
    long storedExpiryMillis;

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

    /** Whether somebody may lease it: it is not leased, or its lease has been counted as expired. */
    boolean isReady() {
        return present && (grant == null || counted);
    }

    boolean isClean() {
        return !dirty && !inRound;
    }

    /** A lease leaves the data where they are: only when its row is durable, {@link Residency#settle} lets go of them. */
    void change(TaskChange change) {
        switch (change) {
            case ApplyAtom.Put put -> {
                present = true;
                payload = put.payload();
                dataBytes = put.payload().data().size();
                enqueuedMillis = put.enqueuedMillis();
                dataDirty = true;
                attempt = 0;
                grant = null;
            }
            case ApplyAtom.Lease lease -> {
                present = true;
                grant = lease.grant();
                attempt = lease.attempt();
            }
            case ApplyAtom.Free free -> {
                present = true;
                grant = null;
                attempt = free.attempt();
            }
            case ApplyAtom.Remove _ -> {
                present = false;
                grant = null;
                payload = null;
                dataDirty = false;
            }
        }
    }

    long costBytes() {
        Payload known = payload;
        Grant held = grant;
        return OVERHEAD_BYTES
                + pid.size()
                + (known == null ? 0 : known.bytes())
                + (held == null ? 0 : held.worker().length() + held.address().length());
    }

    @Override
    public String toString() {
        return pid + (present ? grant == null ? " available" : " leased " + grant.leaseId() : " gone");
    }
}
