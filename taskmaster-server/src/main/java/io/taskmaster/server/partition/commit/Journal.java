package io.taskmaster.server.partition.commit;

import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.format.AtomCodec;
import io.taskmaster.server.partition.budget.LogBackpressure;
import io.taskmaster.server.partition.context.NodeMeters;
import io.taskmaster.server.partition.context.PartitionContext;
import io.taskmaster.server.partition.log.LogWriter;
import io.taskmaster.server.partition.loop.TickedLoop;

/**
 * The destination of decided changes: the state at once, and the log, which may lag behind. Single-threaded: owned by
 * the partition's loop.
 */
public final class Journal {

    private final PartitionState state;
    private final LogWriter log;
    private final LogBackpressure.Share backlog;
    private final TickedLoop loop;
    private final NodeMeters meters;
    private final AtomCodec codec = new AtomCodec();

    /** The size of the log rows that a checkpoint covers. */
    private long flushedBytes;

    /** The number of unflushed bytes that the meters count. */
    private long reportedBytes;

    public Journal(PartitionContext context, LogWriter log, LogBackpressure.Share backlog) {
        this.state = context.state();
        this.log = log;
        this.backlog = backlog;
        this.loop = context.loop();
        this.meters = context.meters();
    }

    /** Applies an atom. It takes effect now, and is durable once the log is durable up to its ticket. */
    public void commit(ApplyAtom atom) {
        // The state first: the next decision must see the change, although it is durable only later. Replies wait for
        // that.
        state.apply(atom, loop.lastNowMillis());
        log.append(atom.ticket(), codec.encode(atom));
    }

    /** Returns true if nothing more should be appended for now. */
    public boolean isBehind() {
        return backlog.isFull(log.uncommittedBytes());
    }

    /** The number of bytes that are not durable yet. */
    public long waitingBytes() {
        return log.uncommittedBytes();
    }

    /** Sets the number of groups that wait to append. */
    public void waiting(int groups) {
        backlog.waiting(groups);
    }

    /** Sends the atoms gathered in a loop tick, at its end. */
    public void flush() {
        log.flush();
        backlog.appended(log.appendedTicket(), log.uncommittedBytes(), loop.nowMillis());
        report(log.sealedBytes() - flushedBytes);
    }

    /** Notes that a checkpoint covers this many bytes of log rows. */
    public void flushedTo(long bytes) {
        flushedBytes = bytes;
    }

    private void report(long bytes) {
        if (bytes != reportedBytes) {
            meters.unflushed(bytes - reportedBytes);
            reportedBytes = bytes;
        }
    }

    /** Notes that the log is durable up to a ticket. */
    public void committed(long ticket) {
        backlog.committed(ticket, log.uncommittedBytes(), loop.nowMillis());
    }

    /** Returns true if everything is durable. */
    public boolean isSettled() {
        return log.isSettled();
    }

    public void stop() {
        log.stop();
        backlog.release();
        report(0);
    }
}
