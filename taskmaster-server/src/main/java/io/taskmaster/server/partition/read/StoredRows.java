package io.taskmaster.server.partition.read;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.state.CellSet;
import io.taskmaster.server.engine.state.StoredTask;
import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.format.TaskCodec;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tasks made of stored cells. Only cells that count are used: this owner wrote them, or their round was complete
 * when its epoch ended (ADR 4, ADR 15). Immutable.
 */
public final class StoredRows {

    private final RowKeys keys;
    private final PartitionRecord record;

    public StoredRows(RowKeys keys, PartitionRecord record) {
        this.keys = keys;
        this.record = record;
    }

    /**
     * The tasks that a scan found.
     *
     * @param last the PID of the last row, counted or not; empty if there was none
     */
    record Scanned(List<StoredTask> tasks, Optional<Pid> last) {}

    public boolean believes(Cell cell) {
        return record.believes(cell.stamp());
    }

    Scanned tasks(boolean delayed, QueueKey queue, List<Cell> cells) {
        int offset = keys.pidOffset(delayed, queue);
        List<StoredTask> tasks = new ArrayList<>();
        Pid last = null;
        int begin = 0;
        for (int i = 1; i <= cells.size(); i++) {
            Bytes row = cells.get(begin).key().row();
            if (i == cells.size() || !row.equals(cells.get(i).key().row())) {
                last = pid(row, offset);
                TaskRow read = new TaskRow();
                cells.subList(begin, i).forEach(read::add);
                read.toTask(last).ifPresent(tasks::add);
                begin = i;
            }
        }
        return new Scanned(tasks, Optional.ofNullable(last));
    }

    /** Returns the task in the cells of one PID, from both its places, if there is one. */
    Optional<StoredTask> task(Pid pid, List<Optional<Cell>> cells) {
        TaskRow read = new TaskRow();
        cells.forEach(cell -> cell.ifPresent(read::add));
        return read.toTask(pid);
    }

    /** The cells of one PID, as they arrive. At most one of its places has data that count. */
    private final class TaskRow {

        private CellSet storedCells = CellSet.NONE;
        private @Nullable Cell data;
        private final @Nullable Cell[] states = new Cell[2];
        private final @Nullable Cell[] reruns = new Cell[2];

        void add(Cell cell) {
            boolean delayed = cell.key().table() == Table.DELAYED;
            int place = delayed ? 1 : 0;
            // Cells that do not count are noted as present as well: a delete of the task has to delete them, too.
            boolean believed = believes(cell);
            switch (cell.key().column()) {
                case RowKeys.DATA -> {
                    storedCells = storedCells.and(CellSet.of(delayed, CellSet.DATA));
                    // A cell that does not count replaces nothing: the other place may have had the data.
                    data = believed ? cell : data;
                }
                case RowKeys.STATE -> {
                    storedCells = storedCells.and(CellSet.of(delayed, CellSet.STATE));
                    states[place] = believed ? cell : null;
                }
                case RowKeys.RERUN -> {
                    storedCells = storedCells.and(CellSet.of(delayed, CellSet.RERUN));
                    reruns[place] = believed ? cell : null;
                }
                default ->
                    throw new CorruptRecordException(
                            "task row: column " + cell.key().column() + " (expected: 0 to 2)");
            }
        }

        Optional<StoredTask> toTask(Pid pid) {
            Cell found = data;
            if (found == null) {
                return Optional.empty();
            }
            int place = found.key().table() == Table.DELAYED ? 1 : 0;
            Cell state = states[place];
            Cell rerun = reruns[place];
            TaskCodec.State known = state == null
                    ? TaskCodec.State.NEW
                    : Corruption.withLocation(state, () -> TaskCodec.decodeState(state.value()));
            if (known.remembers()) {
                storedCells = storedCells.and(CellSet.of(place == 1, CellSet.RERUN));
            }
            return Optional.of(new StoredTask(
                    pid,
                    data(found),
                    known.attempt(),
                    known.grant(),
                    known.remembers(),
                    rerun == null ? null : data(rerun),
                    storedCells));
        }
    }

    private static Enqueued data(Cell cell) {
        return Corruption.withLocation(cell, () -> TaskCodec.decode(cell.value()));
    }

    private static Pid pid(Bytes row, int offset) {
        return Pid.wrap(Arrays.copyOfRange(row.unsafeArray(), offset, row.size()));
    }
}
