package io.taskmaster.server.engine.state;

import io.taskmaster.command.FifoPid;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.dedup.DedupWindow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one flush round: the dirty state as of a ticket. A copy: later commands do not change it. Immutable but
 * for the live tasks that it refers to.
 *
 * @param ticket the last atom whose effects are in it
 * @param marks garbage that has to be remembered
 * @param reaped garbage that is gone and can be forgotten
 * @param staleHints rows of the time index that are obsolete
 * @param options the new options of queues
 * @param requests the updates to be remembered
 */
public record FlushRound(
        long ticket,
        List<TaskWrite> tasks,
        List<RecordWrite> records,
        List<ReapMark> marks,
        List<ReapMark> reaped,
        List<TimeHint> staleHints,
        List<OptionsChange> options,
        List<DedupWindow.Row> requests) {

    /**
     * The write of one task row.
     *
     * @param present whether there is such a task
     * @param delayed whether its row is in the place of delayed tasks
     * @param data the new data; null: the data cell stays as it is
     * @param rerun the new rerun; null: that cell stays as it is
     * @param remembers whether there is such a cell
     * @param grant the lease to store; null: none
     * @param deletes the cells that may be there and must not stay
     * @param firesMillis the row of the time index that it needs; 0: none
     * @param staleFiresMillis the row of the time index to delete; 0: none
     */
    public record TaskWrite(
            Task task,
            boolean present,
            boolean delayed,
            @Nullable Enqueued data,
            @Nullable Enqueued rerun,
            boolean remembers,
            int attempt,
            @Nullable Grant grant,
            CellSet deletes,
            long firesMillis,
            long staleFiresMillis) {

        /** Returns whether it has a state cell. */
        public boolean hasState() {
            return present && (grant != null || attempt > 0 || remembers);
        }

        public int dataBytes() {
            return task.dataBytes;
        }

        public QueueKey queue() {
            return task.queue.key;
        }

        public Pid pid() {
            return task.pid;
        }

        public long generation() {
            return task.generation;
        }
    }

    /**
     * The write of one queue record.
     *
     * @param forget the queue is empty and nothing is left of it: delete the record
     * @param stored whether there may be a record to delete
     */
    public record RecordWrite(QueueState queue, boolean forget, boolean stored, QueueRecord record) {}

    /** The stored record of a queue. */
    public record QueueRecord(long generation, Sizes sizes, FifoPid maxFifo, Pid lowWater) {}

    /** A mark for garbage: rows of a queue's generations before this one, which have to be reaped. Immutable. */
    public record ReapMark(QueueKey queue, long belowGeneration) {}
}
