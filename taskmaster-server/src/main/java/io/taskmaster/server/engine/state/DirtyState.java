package io.taskmaster.server.engine.state;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.dedup.DedupWindow;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.FlushRound.RecordWrite;
import io.taskmaster.server.engine.state.FlushRound.TaskWrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The committed state that is not in the rows yet, and the flush rounds that write it (paper section 5.3;
 * {@code docs/adr/0006-staged-rounds.md}). Single-threaded: owned by the partition's loop. One round at a time.
 *
 * <p>What can be dirty: tasks, queue records, options, reap marks (new ones and those that are done), stale rows of the
 * time index, and remembered requests. {@link #takeRound} turns all of it into a {@link FlushRound} as of one ticket,
 * and begins to collect anew. While the round is being written, later atoms fill the next one.
 *
 * <p>Steps of a round:
 *
 * <ol>
 *   <li>{@link #takeRound}: each dirty task becomes a {@link TaskWrite} with the cells to write and to delete. It is
 *       clean from the dirty list's point of view, but {@link Task#inRound}. A task that is gone and has no cell in the
 *       rows is not written at all.
 *   <li>{@link #flushed}: the writes and the checkpoint behind them are durable. The tasks are no longer in the round,
 *       and settle against the newest read that has begun by then.
 *   <li>{@link #recordsFlushed}: queues whose record was deleted, and that have not changed since, are reported to be
 *       forgotten.
 *   <li>{@link #roundCompleted}: the memory of the round is free.
 * </ol>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>{@link Task#dirty} holds for the listed tasks that have changed since a round took them; the next round takes
 *       those of live generations. A task that was forgotten stays listed, not dirty, until the list is compacted:
 *       removal from the list would cost a search.
 *   <li>{@code taskBytes} is the sum of {@link Task#dirtyBytes} over the dirty tasks of live generations, and of
 *       {@link QueueState#dirtyBytes} over the queues. {@link #bytes} adds the round in flight, since its data stay in
 *       memory until it is complete.
 *   <li>{@link Task#cells} names every cell that may be stored once the round is durable. The next round deletes those
 *       that are no longer wanted, also in the other place of the task.
 *   <li>A queue has at most one entry in {@code newMarks} or {@code reaped}, not in both: they share a row.
 * </ul>
 *
 * <p>The states of a task are described at {@link Task}.
 */
final class DirtyState {

    /**
     * The number of entries without need of a write that may stay listed. Beyond it they may be as many as the others.
     */
    private static final int MAX_FORGOTTEN = 1024;

    /** The memory of a hint, beside its PID. */
    private static final long HINT_BYTES = 120;

    private final Residency residency;
    private final DedupWindow dedup;
    private Map<QueueKey, OptionsChange> options = new HashMap<>();

    private List<Task> tasks = new ArrayList<>();
    private final LinkedHashSet<QueueState> records = new LinkedHashSet<>();
    private final Map<QueueKey, Long> marks = new HashMap<>();

    /** Marks that the next round stores or deletes, at most one entry per queue: they share a row. */
    private Map<QueueKey, ReapMark> newMarks = new HashMap<>();

    private Map<QueueKey, ReapMark> reaped = new HashMap<>();
    private List<TimeHint> staleHints = new ArrayList<>();

    private long taskBytes;
    private long hintBytes;
    private long roundBytes;

    /** The number of listed tasks that no round has to write any more. */
    private int forgotten;

    DirtyState(Residency residency, DedupWindow dedup) {
        this.residency = residency;
        this.dedup = dedup;
    }

    /** The memory that is bound until it is flushed, in bytes. */
    long bytes() {
        return taskBytes + hintBytes + roundBytes;
    }

    /** The part of it that the round in flight has taken. */
    long roundBytes() {
        return roundBytes;
    }

    /** The memory of hints that wait for a round. */
    long hintBytes() {
        return hintBytes;
    }

    /** The number of tasks listed for the next round, including those forgotten since. */
    int listed() {
        return tasks.size();
    }

    /** The number of tasks and queues that the next round takes, including those forgotten since. */
    int entries() {
        return tasks.size() + records.size();
    }

    boolean isEmpty() {
        return tasks.isEmpty()
                && records.isEmpty()
                && newMarks.isEmpty()
                && reaped.isEmpty()
                && staleHints.isEmpty()
                && options.isEmpty()
                && !dedup.isDirty();
    }

    void task(Task task) {
        if (!task.dirty) {
            task.dirty = true;
            tasks.add(task);
        }
        long cost = task.costBytes();
        charge(task, cost);
    }

    /** Forgets a task that is gone and whose row was never touched. */
    void forget(Task task) {
        charge(task, 0);
        if (task.dirty) {
            task.dirty = false;
            forgotten++;
        }
        // Compaction costs a walk over the list, so at least half of it has to be garbage: the cost is constant per
        // task.
        if (forgotten > MAX_FORGOTTEN && forgotten > tasks.size() / 2) {
            tasks.removeIf(listed -> !listed.dirty);
            forgotten = 0;
        }
    }

    private void charge(Task task, long cost) {
        taskBytes += cost - task.dirtyBytes;
        task.queue.dirtyBytes += cost - task.dirtyBytes;
        task.dirtyBytes = cost;
    }

    void record(QueueState queue) {
        queue.recordDirty = true;
        records.add(queue);
    }

    void options(OptionsChange change) {
        options.put(change.queue(), change);
    }

    boolean hasOptions(QueueKey queue) {
        return options.containsKey(queue);
    }

    void mark(ReapMark mark) {
        marks.merge(mark.queue(), mark.belowGeneration(), Math::max);
        newMarks.put(mark.queue(), mark);
        reaped.remove(mark.queue());
    }

    /** Notes a mark that is stored already. */
    void knownMark(ReapMark mark) {
        marks.merge(mark.queue(), mark.belowGeneration(), Math::max);
    }

    /** Notes that the rows of a mark are reaped. A newer mark of the queue stays. */
    void reaped(ReapMark mark) {
        if (marks.remove(mark.queue(), mark.belowGeneration())) {
            reaped.put(mark.queue(), mark);
        }
    }

    void staleHint(TimeHint hint) {
        staleHints.add(hint);
        hintBytes += HINT_BYTES + hint.pid().size();
    }

    /**
     * Drops the queue's dirty tasks, which are gone with their generation. The list keeps them; {@link #takeRound}
     * skips them.
     */
    void dropped(QueueState queue) {
        taskBytes -= queue.dirtyBytes;
        queue.dirtyBytes = 0;
    }

    FlushRound takeRound(long ticket) {
        List<Task> dirtyTasks = tasks;
        tasks = new ArrayList<>();
        List<TaskWrite> writes = new ArrayList<>(dirtyTasks.size());
        roundBytes = taskBytes + hintBytes;
        forgotten = 0;
        hintBytes = 0;
        for (Task task : dirtyTasks) {
            // A task of a dead generation is skipped: the reap mark stands for its rows.
            if (task.dirty && task.generation == task.queue.generation) {
                takeTask(task, writes);
            }
        }
        FlushRound round = new FlushRound(
                ticket,
                writes,
                takeRecords(),
                List.copyOf(newMarks.values()),
                List.copyOf(reaped.values()),
                staleHints,
                List.copyOf(options.values()),
                dedup.take());
        options = new HashMap<>();
        newMarks = new HashMap<>();
        reaped = new HashMap<>();
        staleHints = new ArrayList<>();
        return round;
    }

    private void takeTask(Task task, List<TaskWrite> writes) {
        task.dirty = false;
        charge(task, 0);
        if (!task.present && task.cells.isEmpty()) {
            residency.settle(task);
            return;
        }
        CellSet newCells = cellsOf(task);
        long firesMillis = task.firesMillis();
        writes.add(new TaskWrite(
                task,
                task.present,
                task.isDelayed(),
                task.dataDirty ? task.data : null,
                task.rerunDirty ? task.rerun : null,
                task.remembers,
                task.attempt,
                task.grant,
                task.cells.without(newCells),
                firesMillis,
                task.storedFiresMillis != firesMillis ? task.storedFiresMillis : 0));
        task.dataDirty = false;
        task.rerunDirty = false;
        task.inRound = true;
        // Although nothing is durable yet: if the round fails, the epoch ends, and this state with it.
        task.cells = newCells;
        task.storedFiresMillis = firesMillis;
    }

    /** Returns the cells that a task should have. */
    private static CellSet cellsOf(Task task) {
        return !task.present
                ? CellSet.NONE
                : CellSet.of(
                        task.isDelayed(),
                        CellSet.DATA
                                + (task.grant != null || task.attempt > 0 || task.remembers ? CellSet.STATE : 0)
                                + (task.remembers ? CellSet.RERUN : 0));
    }

    private List<RecordWrite> takeRecords() {
        List<RecordWrite> writes = new ArrayList<>(records.size());
        for (QueueState queue : records) {
            queue.recordDirty = false;
            boolean forget = queue.total() == 0 && !isMarked(queue.key);
            // The rows of tasks that are gone are deleted in this round, so the first task in memory bounds the rows
            // from below.
            queue.window.raiseLowWater(queue.firstInPlace());
            queue.recordStored |= !forget;
            writes.add(new RecordWrite(queue, forget, queue.recordStored, recordOf(queue)));
        }
        records.clear();
        return writes;
    }

    private static QueueRecord recordOf(QueueState queue) {
        return new QueueRecord(queue.generation, queue.sizes(), queue.maxFifo, queue.window.lowWater());
    }

    /**
     * Marks tasks as clean whose writes are durable and believed.
     *
     * @param readId the newest read that has begun
     */
    void flushed(List<TaskWrite> writes, long readId) {
        for (TaskWrite write : writes) {
            Task task = write.task();
            task.inRound = false;
            task.cleanSinceRead = readId;
            residency.settle(task);
        }
    }

    /**
     * Completes records whose writes, like those of all tasks of their round, are durable and believed.
     *
     * @return the queues of which nothing is left
     */
    List<QueueState> recordsFlushed(List<RecordWrite> writes) {
        List<QueueState> empty = new ArrayList<>();
        for (RecordWrite write : writes) {
            QueueState queue = write.queue();
            if (write.forget()) {
                queue.recordStored = false;
                // An atom may have used the queue again while its record was being deleted.
                if (!queue.recordDirty && queue.total() == 0) {
                    empty.add(queue);
                }
            }
        }
        return empty;
    }

    /** Completes the round: all of its writes are durable. */
    void roundCompleted() {
        roundBytes = 0;
    }

    boolean isMarked(QueueKey queue) {
        return marks.containsKey(queue);
    }

    boolean hasMarks() {
        return !marks.isEmpty();
    }
}
