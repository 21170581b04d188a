package io.taskmaster.server.partition;

import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.format.AtomCodec;
import io.taskmaster.server.partition.log.LogWriter;

/**
 * The destination of decided changes: the state at once, and the log, which may lag behind. Single-threaded: owned by
 * the partition's loop.
 */
final class Journal {

    private final PartitionState state;
    private final LogWriter log;
    private final Backlog.Share backlog;
    private final TickedLoop loop;
    private final NodeMeters meters;
    private final AtomCodec codec = new AtomCodec();

    /** The size of the log rows that a checkpoint covers. */
    private long flushedBytes;

    /** The number of unflushed bytes that the meters count. */
    private long toldBytes;

    Journal(PartitionContext context, LogWriter log, Backlog.Share backlog) {
        this.state = context.state();
        this.log = log;
        this.backlog = backlog;
        this.loop = context.loop();
        this.meters = context.meters();
    }

    /** Applies an atom. It takes effect now, and is durable once the log is durable up to its ticket. */
    void commit(ApplyAtom atom) {
        // The state first: the next decision must see the change, although it is durable only later. Replies wait for
        // that.
        state.apply(atom, loop.lastNowMillis());
        log.append(atom.ticket(), codec.encode(atom));
    }

    /** Returns true if nothing more should be appended for now. */
    boolean isBehind() {
        return backlog.isFull(log.uncommittedBytes());
    }

    /** The number of bytes that are not durable yet. */
    long waitingBytes() {
        return log.uncommittedBytes();
    }

    /** Sets the number of groups that wait to append. */
    void waiting(int groups) {
        backlog.waiting(groups);
    }

    /** Sends the atoms gathered in a loop tick, at its end. */
    void flush() {
        log.flush();
        backlog.appended(log.appendedTicket(), log.uncommittedBytes(), loop.nowMillis());
        tell(log.sealedBytes() - flushedBytes);
    }

    /** Notes that a checkpoint covers this many bytes of log rows. */
    void flushedTo(long bytes) {
        flushedBytes = bytes;
    }

    private void tell(long bytes) {
        if (bytes != toldBytes) {
            meters.unflushed(bytes - toldBytes);
            toldBytes = bytes;
        }
    }

    /** Notes that the log is durable up to a ticket. */
    void committed(long ticket) {
        backlog.committed(ticket, log.uncommittedBytes(), loop.nowMillis());
    }

    /** Returns true if everything is durable. */
    boolean isSettled() {
        return log.isSettled();
    }

    void stop() {
        log.stop();
        backlog.release();
        tell(0);
    }
}
