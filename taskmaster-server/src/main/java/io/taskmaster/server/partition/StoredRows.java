package io.taskmaster.server.partition;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.StoredTask;
import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.format.TaskCodec;
import io.taskmaster.server.partition.log.PartitionRecord;
import io.taskmaster.server.store.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes tasks of cells: only of those that are believed, because this owner wrote them or because their round was complete when its
 * epoch ended (design, section 6). Immutable.
 */
final class StoredRows {

    private final RowKeys keys;
    private final PartitionRecord record;

    StoredRows(RowKeys keys, PartitionRecord record) {
        this.keys = keys;
        this.record = record;
    }

    /**
     * What a scan found.
     *
     * @param last the PID of the last row, believed or not; empty if there was none
     */
    record Scanned(List<StoredTask> tasks, Optional<Pid> last) {}

    boolean believes(Cell cell) {
        return record.believes(cell.stamp());
    }

    Scanned tasks(QueueKey queue, List<Cell> cells) {
        int offset = keys.pidOffset(queue);
        List<StoredTask> tasks = new ArrayList<>();
        Bytes row = null;
        Cell data = null;
        Cell state = null;
        for (Cell cell : cells) {
            if (row == null || !row.equals(cell.key().row())) {
                add(tasks, row, offset, data, state);
                row = cell.key().row();
                data = null;
                state = null;
            }
            if (cell.key().column() == RowKeys.DATA) {
                data = cell;
            } else {
                state = cell;
            }
        }
        add(tasks, row, offset, data, state);
        return new Scanned(tasks, Optional.ofNullable(row).map(last -> pid(last, offset)));
    }

    private void add(
            List<StoredTask> tasks, @Nullable Bytes row, int offset, @Nullable Cell data, @Nullable Cell state) {
        if (row != null && data != null) {
            task(pid(row, offset), Optional.of(data), Optional.ofNullable(state))
                    .ifPresent(tasks::add);
        }
    }

    /** The task in a row, if there is one. */
    Optional<StoredTask> task(Pid pid, Optional<Cell> data, Optional<Cell> state) {
        if (data.isEmpty() || !believes(data.get())) {
            return Optional.empty();
        }
        TaskCodec.Data stored = TaskCodec.decodeData(data.get().value());
        boolean hasState = state.isPresent() && believes(state.get());
        TaskCodec.State known = hasState ? TaskCodec.decodeState(state.get().value()) : TaskCodec.State.NEW;
        return Optional.of(new StoredTask(
                pid, stored.payload(), stored.enqueuedMillis(), known.attempt(), known.grant(), state.isPresent()));
    }

    private static Pid pid(Bytes row, int offset) {
        return Pid.wrap(Arrays.copyOfRange(row.unsafeArray(), offset, row.size()));
    }
}
