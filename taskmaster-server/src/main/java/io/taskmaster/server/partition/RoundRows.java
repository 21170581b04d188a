package io.taskmaster.server.partition;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.engine.ExpiryHint;
import io.taskmaster.server.engine.FlushRound;
import io.taskmaster.server.engine.FlushRound.RecordWrite;
import io.taskmaster.server.engine.FlushRound.TaskWrite;
import io.taskmaster.server.engine.Grant;
import io.taskmaster.server.engine.ReapMark;
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

/** The rows that a round writes, made piece by piece, so that no round is in memory twice. Single-threaded. */
final class RoundRows {

    private final RowKeys keys;
    private final Stamp stamp;
    private final Iterator<TaskWrite> tasks;
    private final Iterator<RecordWrite> records;
    private final Iterator<ReapMark> marks;
    private final Iterator<ReapMark> reaped;
    private final Iterator<ExpiryHint> hints;

    RoundRows(FlushRound round, RowKeys keys, Stamp stamp) {
        this.keys = keys;
        this.stamp = stamp;
        this.tasks = round.tasks().iterator();
        this.records = round.records().iterator();
        this.marks = round.marks().iterator();
        this.reaped = round.reaped().iterator();
        this.hints = round.staleHints().iterator();
    }

    /** Some whole rows; empty when all are taken. */
    List<CellWrite> nextPiece(int pieceBytes) {
        List<CellWrite> piece = new ArrayList<>();
        long bytes = 0;
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
