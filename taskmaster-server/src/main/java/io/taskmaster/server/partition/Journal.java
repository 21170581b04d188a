package io.taskmaster.server.partition;

import io.taskmaster.server.engine.ApplyAtom;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.format.AtomCodec;
import io.taskmaster.server.partition.log.LogWriter;

/**
 * Where what was decided goes: into the state at once, and into the log, which may fall behind. Single-threaded: owned by the
 * partition's loop.
 */
final class Journal {

    private final PartitionState state;
    private final LogWriter log;
    private final Backlog.Share backlog;
    private final Turns turns;
    private final NodeMeters meters;
    private final AtomCodec codec = new AtomCodec();

    /** Bytes of rows that a checkpoint covers. */
    private long flushedBytes;

    /** What the meters know of the others. */
    private long toldBytes;

    Journal(PartitionState state, LogWriter log, Backlog.Share backlog, Turns turns, NodeMeters meters) {
        this.state = state;
        this.log = log;
        this.backlog = backlog;
        this.turns = turns;
        this.meters = meters;
    }

    /** It takes effect now, and is durable once the log is, up to its ticket. */
    void commit(ApplyAtom atom) {
        state.apply(atom, turns.lastNow());
        log.append(atom.ticket(), codec.encode(atom));
    }

    /** Whether nothing more should be appended for now. */
    boolean isBehind() {
        return backlog.isFull(log.uncommittedBytes());
    }

    /** How many bytes wait to be durable. */
    long waitingBytes() {
        return log.uncommittedBytes();
    }

    /** So many groups have something that waits to be appended. */
    void waiting(int groups) {
        backlog.waiting(groups);
    }

    /** A turn ends: sends what gathered in it. */
    void flush() {
        log.flush();
        backlog.appended(log.appendedTicket(), log.uncommittedBytes(), turns.now());
        tell(log.sealedBytes() - flushedBytes);
    }

    /** A checkpoint is behind so many bytes of rows. */
    void flushedTo(long bytes) {
        flushedBytes = bytes;
    }

    private void tell(long bytes) {
        if (bytes != toldBytes) {
            meters.unflushed(bytes - toldBytes);
            toldBytes = bytes;
        }
    }

    /** The log is durable up to a ticket. */
    void committed(long ticket) {
        backlog.committed(ticket, log.uncommittedBytes(), turns.now());
    }

    /** Whether all of it is durable. */
    boolean isSettled() {
        return log.isSettled();
    }

    void stop() {
        log.stop();
        backlog.release();
        tell(0);
    }
}
