package io.taskmaster.server.partition.flush;

import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.dedup.DedupWindow;
import io.taskmaster.server.engine.state.CellSet;
import io.taskmaster.server.engine.state.FlushRound;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.FlushRound.RecordWrite;
import io.taskmaster.server.engine.state.FlushRound.TaskWrite;
import io.taskmaster.server.engine.state.TimeHint;
import io.taskmaster.server.format.QueueRecordCodec;
import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.format.TaskCodec;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The cells that a flush round writes, made piece by piece, so that no round is in memory twice. Single-threaded. */
final class RoundRows {

    /** The estimated overhead of a cell in addition to its key and value. */
    private static final int CELL_BYTES = 64;

    private final RowKeys keys;
    private final Stamp stamp;
    private final Iterator<TaskWrite> tasks;
    private final Iterator<RecordWrite> records;
    private final Iterator<ReapMark> marks;
    private final Iterator<ReapMark> reaped;
    private final Iterator<TimeHint> hints;
    private final Iterator<OptionsChange> options;
    private final Iterator<DedupWindow.Row> requests;
    private int requestRows;

    RoundRows(FlushRound round, RowKeys keys, Stamp stamp) {
        this.keys = keys;
        this.stamp = stamp;
        this.tasks = round.tasks().iterator();
        this.records = round.records().iterator();
        this.marks = round.marks().iterator();
        this.reaped = round.reaped().iterator();
        this.hints = round.staleHints().iterator();
        this.options = round.options().iterator();
        this.requests = round.requests().iterator();
    }

    /** Returns the cells of some whole rows; empty when all are taken. */
    List<CellWrite> nextPiece(int pieceBytes) {
        List<CellWrite> piece = new ArrayList<>();
        long bytes = 0;
        // The order is free: no later owner believes a row of a round before its checkpoint is stored.
        while (bytes < pieceBytes) {
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
                delete(piece, keys.instant(hints.next()));
            } else if (options.hasNext()) {
                add(piece, options.next());
            } else if (requests.hasNext()) {
                DedupWindow.Row row = requests.next();
                put(
                        piece,
                        keys.requests(row.minute(), stamp.epoch(), stamp.round(), requestRows++),
                        QueueRecordCodec.encode(row));
            } else {
                break;
            }
            for (CellWrite write : piece.subList(before, piece.size())) {
                bytes += CELL_BYTES
                        + write.key().row().size()
                        + (write instanceof CellWrite.Put put ? put.value().size() : 0);
            }
        }
        return piece;
    }

    private void add(List<CellWrite> piece, TaskWrite task) {
        Bytes row = keys.taskRow(task.delayed(), task.queue(), task.generation(), task.pid());
        Table place = RowKeys.place(task.delayed());
        Enqueued data = task.data();
        Enqueued rerun = task.rerun();
        if (data != null) {
            put(piece, new CellKey(place, row, RowKeys.DATA), TaskCodec.encode(data));
        }
        if (task.hasState()) {
            put(
                    piece,
                    new CellKey(place, row, RowKeys.STATE),
                    TaskCodec.encodeState(new TaskCodec.State(task.attempt(), task.grant(), task.remembers())));
        }
        if (rerun != null) {
            put(piece, new CellKey(place, row, RowKeys.RERUN), TaskCodec.encode(rerun));
        }
        if (!task.deletes().isEmpty()) {
            delete(piece, task, false);
            delete(piece, task, true);
        }
        if (task.firesMillis() != 0) {
            TimeHint hint = hint(task, task.firesMillis());
            put(piece, keys.instant(hint), RowKeys.instantValue(hint));
        }
        if (task.staleFiresMillis() != 0) {
            delete(piece, keys.instant(hint(task, task.staleFiresMillis())));
        }
    }

    private void delete(List<CellWrite> piece, TaskWrite task, boolean delayed) {
        delete(piece, task, delayed, CellSet.DATA, RowKeys.DATA);
        delete(piece, task, delayed, CellSet.STATE, RowKeys.STATE);
        delete(piece, task, delayed, CellSet.RERUN, RowKeys.RERUN);
    }

    private void delete(List<CellWrite> piece, TaskWrite task, boolean delayed, int cell, int column) {
        if (task.deletes().has(delayed, cell)) {
            delete(piece, keys.task(delayed, task.queue(), task.generation(), task.pid(), column));
        }
    }

    private static TimeHint hint(TaskWrite task, long millis) {
        return new TimeHint(millis, task.queue(), task.generation(), task.pid(), Math.max(0, task.dataBytes()));
    }

    private void add(List<CellWrite> piece, RecordWrite record) {
        CellKey key = keys.queueRecord(record.queue().key());
        if (!record.forget()) {
            put(piece, key, QueueRecordCodec.encode(record.record()));
        } else if (record.stored()) {
            delete(piece, key);
        }
    }

    private void add(List<CellWrite> piece, OptionsChange change) {
        CellKey key = keys.options(change.queue());
        if (change.options().equals(QueueOptions.NONE)) {
            delete(piece, key);
        } else {
            put(piece, key, QueueRecordCodec.encode(change.options()));
        }
    }

    private void put(List<CellWrite> piece, CellKey key, Bytes value) {
        piece.add(new CellWrite.Put(key, stamp, value));
    }

    private void delete(List<CellWrite> piece, CellKey key) {
        piece.add(new CellWrite.Delete(key, stamp));
    }
}
