package io.taskmaster.server.partition;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.engine.ExpiryHint;
import io.taskmaster.server.engine.FlushRound;
import io.taskmaster.server.engine.FlushRound.RecordWrite;
import io.taskmaster.server.engine.FlushRound.TaskWrite;
import io.taskmaster.server.engine.Grant;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.ReapMark;
import io.taskmaster.server.format.QueueRecordCodec;
import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.format.TaskCodec;
import io.taskmaster.server.partition.log.Checkpoint;
import io.taskmaster.server.partition.log.Checkpointer;
import io.taskmaster.server.partition.log.LogWriter;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Brings dirty state to the rows (design, section 6, "flush rounds"). Single-threaded: owned by the partition's loop.
 *
 * <pre>
 *   idle --dirty, and old or large enough--> cut --its atoms are committed--> writing --all durable--> checkpoint --> idle
 *                                                          (a piece refused: again; outcome unknown: the partition ends)
 * </pre>
 */
final class FlushRounds {

    /** Told when a round is through, or can never be. */
    interface Listener {

        void onRoundCompleted(FlushRound round);

        void onRoundFailed(Throwable reason);
    }

    /** How often a piece that was definitely not written is tried. */
    private static final int TRIES = 10;

    /** A store that has too much to do refuses; it is given time, more with each try. */
    private static final long RETRY_MILLIS = 20;

    private static final int SETTLED_AT_ONCE = 512;

    private final Store store;
    private final PartitionLoop loop;
    private final PartitionSettings settings;
    private final PartitionState state;
    private final RowKeys keys;
    private final LogWriter log;
    private final Checkpointer checkpointer;
    private final Reads reads;
    private final Listener listener;

    private @Nullable Running running;
    private long rounds;
    private boolean stopped;

    FlushRounds(
            Store store,
            PartitionLoop loop,
            PartitionSettings settings,
            PartitionState state,
            RowKeys keys,
            LogWriter log,
            Checkpointer checkpointer,
            Reads reads,
            Listener listener) {
        this.store = store;
        this.loop = loop;
        this.settings = settings;
        this.state = state;
        this.keys = keys;
        this.log = log;
        this.checkpointer = checkpointer;
        this.reads = reads;
        this.listener = listener;
    }

    boolean isRunning() {
        return running != null;
    }

    /** Whether so much is dirty that a round is due before its time. */
    boolean isDue() {
        return running == null && state.dirtyBytes() >= settings.flushBytes();
    }

    /** Whether there is anything to write, or log to trim. */
    boolean isNeeded() {
        return state.isDirty()
                || state.lastTicket() > checkpointer.record().checkpoint().ticket();
    }

    /** Starts a round, unless one is under way or there is no need. */
    void start() {
        if (running != null || stopped || !isNeeded()) {
            return;
        }
        FlushRound round = state.takeRound();
        rounds++;
        running = new Running(round, log.cut(), new Stamp(checkpointer.record().epoch(), rounds));
        committed();
    }

    /** More of the log is durable: the round under way may be waiting for that. */
    void committed() {
        Running round = running;
        if (round != null && !round.writing && log.committedTicket() >= round.round.ticket()) {
            round.writing = true;
            round.writeMore();
        }
    }

    void stop() {
        stopped = true;
    }

    private void fail(Throwable reason) {
        if (!stopped) {
            stopped = true;
            listener.onRoundFailed(reason);
        }
    }

    /** A round under way. */
    private final class Running {

        private final FlushRound round;
        private final Checkpoint checkpoint;
        private final Stamp stamp;
        private final Iterator<TaskWrite> tasks;
        private final Iterator<RecordWrite> records;
        private final Iterator<ReapMark> marks;
        private final Iterator<ReapMark> reaped;
        private final Iterator<ExpiryHint> hints;
        private int inFlight;
        private boolean writing;

        Running(FlushRound round, Checkpoint checkpoint, Stamp stamp) {
            this.round = round;
            this.checkpoint = checkpoint;
            this.stamp = stamp;
            this.tasks = round.tasks().iterator();
            this.records = round.records().iterator();
            this.marks = round.marks().iterator();
            this.reaped = round.reaped().iterator();
            this.hints = round.staleHints().iterator();
        }

        void writeMore() {
            while (inFlight < settings.writesInFlight()) {
                List<CellWrite> piece = nextPiece();
                if (piece.isEmpty()) {
                    break;
                }
                inFlight++;
                write(piece, 1);
            }
            if (inFlight == 0) {
                checkpoint();
            }
        }

        private void write(List<CellWrite> piece, int tries) {
            if (stopped) {
                return;
            }
            var _ = store.write(piece)
                    .whenCompleteAsync(
                            (_, failure) -> {
                                if (stopped) {
                                    return;
                                }
                                if (failure == null) {
                                    inFlight--;
                                    writeMore();
                                } else if (isRefused(failure) && tries < TRIES) {
                                    loop.schedule(RETRY_MILLIS * tries, () -> write(piece, tries + 1));
                                } else {
                                    fail(failure);
                                }
                            },
                            loop);
        }

        private void checkpoint() {
            var _ = checkpointer.advance(checkpoint, stamp.round()).whenComplete((_, failure) -> {
                if (stopped) {
                    return;
                }
                if (failure != null) {
                    fail(failure);
                } else {
                    settle(0);
                }
            });
        }

        /** Lets go of what was written, a slice at a time, so that requests are not held up. */
        private void settle(int from) {
            int to = Math.min(round.tasks().size(), from + SETTLED_AT_ONCE);
            state.tasksFlushed(round.tasks().subList(from, to), reads.newest());
            if (to < round.tasks().size()) {
                loop.execute(() -> {
                    if (!stopped) {
                        settle(to);
                    }
                });
            } else {
                state.roundCompleted(round);
                running = null;
                listener.onRoundCompleted(round);
            }
        }

        /** Some whole rows; empty when all are taken. */
        private List<CellWrite> nextPiece() {
            List<CellWrite> piece = new ArrayList<>();
            long bytes = 0;
            while (bytes < settings.writeBytes()) {
                int before = piece.size();
                if (tasks.hasNext()) {
                    add(piece, tasks.next());
                } else if (records.hasNext()) {
                    add(piece, records.next());
                } else if (marks.hasNext()) {
                    ReapMark mark = marks.next();
                    put(piece, keys.reapMark(mark.queue()), QueueRecordCodec.encode(mark));
                } else if (reaped.hasNext()) {
                    delete(piece, keys.reapMark(reaped.next().queue()));
                } else if (hints.hasNext()) {
                    delete(piece, keys.expiry(hints.next()));
                } else {
                    break;
                }
                for (CellWrite write : piece.subList(before, piece.size())) {
                    bytes += write.key().row().size()
                            + (write instanceof CellWrite.Put put ? put.value().size() : 0);
                }
            }
            return piece;
        }

        private void add(List<CellWrite> piece, TaskWrite task) {
            Bytes row = keys.task(task.queue(), task.generation(), task.pid());
            CellKey data = new CellKey(Table.TASKS, row, RowKeys.DATA);
            CellKey state = new CellKey(Table.TASKS, row, RowKeys.STATE);
            Grant grant = task.grant();
            if (!task.present()) {
                delete(piece, data);
            } else if (task.payload() != null) {
                put(piece, data, TaskCodec.encodeData(task.payload(), task.enqueuedMillis()));
            }
            if (task.present() && (grant != null || task.attempt() > 0)) {
                put(piece, state, TaskCodec.encodeState(new TaskCodec.State(task.attempt(), grant)));
            } else if (task.deleteState()) {
                delete(piece, state);
            }
            if (grant != null) {
                ExpiryHint hint = hint(task, grant.expiresMillis(), grant.leaseId());
                put(piece, keys.expiry(hint), RowKeys.expiryValue(hint));
            }
            if (task.staleExpiryMillis() != 0) {
                delete(piece, keys.expiry(hint(task, task.staleExpiryMillis(), 0)));
            }
        }

        private static ExpiryHint hint(TaskWrite task, long expiresMillis, long leaseId) {
            return new ExpiryHint(expiresMillis, task.queue(), task.generation(), task.pid(), leaseId);
        }

        private void add(List<CellWrite> piece, RecordWrite record) {
            CellKey key = keys.queueRecord(record.queue().key());
            if (!record.forget()) {
                put(piece, key, QueueRecordCodec.encode(record.record()));
            } else if (record.stored()) {
                delete(piece, key);
            }
        }

        private void put(List<CellWrite> piece, CellKey key, Bytes value) {
            piece.add(new CellWrite.Put(key, stamp, value));
        }

        private void delete(List<CellWrite> piece, CellKey key) {
            piece.add(new CellWrite.Delete(key, stamp));
        }
    }

    private static boolean isRefused(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof StoreException store && store.outcome() == StoreException.Outcome.REFUSED;
    }
}
