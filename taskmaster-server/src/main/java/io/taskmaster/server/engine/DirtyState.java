package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.FlushRound.QueueRecord;
import io.taskmaster.server.engine.FlushRound.RecordWrite;
import io.taskmaster.server.engine.FlushRound.TaskWrite;
import io.taskmaster.server.engine.dedup.DedupWindow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * What is committed and not yet in the rows, and the rounds that bring it there (design, section 6). Single-threaded: owned by its
 * partition. One round at a time.
 */
final class DirtyState {

    /** So many entries that need no writing may stay listed, and beyond it as many as need it. */
    private static final int FORGOTTEN_KEPT = 1024;

    /** Memory of a hint, beside its PID. */
    private static final long HINT_BYTES = 120;

    private final Residency residency;
    private final DedupWindow dedup;
    private Map<QueueKey, OptionsChange> options = new HashMap<>();

    private List<Task> tasks = new ArrayList<>();
    private final LinkedHashSet<QueueState> records = new LinkedHashSet<>();
    private final Map<QueueKey, Long> marks = new HashMap<>();

    /** What a round has to say of marks, at most one thing of each queue: they share a row. */
    private Map<QueueKey, ReapMark> newMarks = new HashMap<>();

    private Map<QueueKey, ReapMark> reaped = new HashMap<>();
    private List<TimeHint> staleHints = new ArrayList<>();

    private long taskBytes;
    private long hintBytes;
    private long roundBytes;

    /** Of the tasks in the list, those that no round has to write any more. */
    private int forgotten;

    DirtyState(Residency residency, DedupWindow dedup) {
        this.residency = residency;
        this.dedup = dedup;
    }

    /** Memory that is bound until it is flushed. */
    long bytes() {
        return taskBytes + hintBytes + roundBytes;
    }

    /** Of these, what a round under way has taken. */
    long roundBytes() {
        return roundBytes;
    }

    /** Memory of hints that wait for a round. */
    long hintBytes() {
        return hintBytes;
    }

    /** How many tasks are listed for the next round, those that were forgotten since included. */
    int listed() {
        return tasks.size();
    }

    /** How many tasks and queues the next round takes, those that were forgotten since included. */
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

    /** The task is gone and its row was never touched. */
    void forget(Task task) {
        charge(task, 0);
        if (task.dirty) {
            task.dirty = false;
            forgotten++;
        }
        if (forgotten > FORGOTTEN_KEPT && forgotten > tasks.size() / 2) {
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

    /** A mark that is stored already. */
    void knownMark(ReapMark mark) {
        marks.merge(mark.queue(), mark.belowGeneration(), Math::max);
    }

    /** What the mark says is gone. */
    void reaped(ReapMark mark) {
        if (marks.remove(mark.queue(), mark.belowGeneration())) {
            reaped.put(mark.queue(), mark);
        }
    }

    void staleHint(TimeHint hint) {
        staleHints.add(hint);
        hintBytes += HINT_BYTES + hint.pid().size();
    }

    /** The queue's tasks are all gone with their generation: nothing of them is to be written. */
    void dropped(QueueState queue) {
        taskBytes -= queue.dirtyBytes;
        queue.dirtyBytes = 0;
    }

    FlushRound take(long ticket) {
        List<Task> taken = tasks;
        tasks = new ArrayList<>();
        List<TaskWrite> writes = new ArrayList<>(taken.size());
        roundBytes = taskBytes + hintBytes;
        forgotten = 0;
        hintBytes = 0;
        for (Task task : taken) {
            if (task.dirty && task.generation == task.queue.generation) {
                take(task, writes);
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

    private void take(Task task, List<TaskWrite> writes) {
        task.dirty = false;
        charge(task, 0);
        if (!task.present && task.cells.isEmpty()) {
            residency.settle(task);
            return;
        }
        CellSet wanted = cellsOf(task);
        long fires = task.firesMillis();
        writes.add(new TaskWrite(
                task,
                task.present,
                task.isDelayed(),
                task.dataDirty ? task.data : null,
                task.rerunDirty ? task.rerun : null,
                task.remembers,
                task.attempt,
                task.grant,
                task.cells.without(wanted),
                fires,
                task.storedFiresMillis != fires ? task.storedFiresMillis : 0));
        task.dataDirty = false;
        task.rerunDirty = false;
        task.inRound = true;
        task.cells = wanted;
        task.storedFiresMillis = fires;
    }

    /** The cells that a task should have. */
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
     * These are durable and believed.
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
     * These are durable and believed, and so are all tasks of their round.
     *
     * @return the queues of which nothing is left
     */
    List<QueueState> recordsFlushed(List<RecordWrite> writes) {
        List<QueueState> empty = new ArrayList<>();
        for (RecordWrite write : writes) {
            QueueState queue = write.queue();
            if (write.forget()) {
                queue.recordStored = false;
                if (!queue.recordDirty && queue.total() == 0) {
                    empty.add(queue);
                }
            }
        }
        return empty;
    }

    /** All of the round is. */
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
