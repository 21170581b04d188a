package io.taskmaster.server.engine.state;

import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.dedup.DedupWindow;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.FlushRound.RecordWrite;
import io.taskmaster.server.engine.state.FlushRound.TaskWrite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stored rows of a partition, on plain sorted maps. Every cell remembers the round that wrote it, so that a reader
 * can choose which to believe. Single-threaded.
 */
final class FakeRows {

    private final TreeMap<RowId, Row> tasks = new TreeMap<>();
    private final TreeMap<TimeHint, Cell<Integer>> index = new TreeMap<>();
    private final Map<QueueKey, Cell<QueueRecord>> records = new TreeMap<>();
    private final Map<QueueKey, Cell<Long>> marks = new TreeMap<>();
    private final Map<QueueKey, Cell<QueueOptions>> options = new TreeMap<>();
    private final List<Cell<Bytes>> requests = new ArrayList<>();

    private record RowId(boolean delayed, QueueKey queue, long generation, Pid pid) implements Comparable<RowId> {

        private static final Comparator<RowId> ORDER = Comparator.comparing(RowId::delayed)
                .thenComparing(RowId::queue)
                .thenComparingLong(RowId::generation)
                .thenComparing(RowId::pid);

        @Override
        public int compareTo(RowId other) {
            return ORDER.compare(this, other);
        }
    }

    private record Cell<T>(long round, T value) {}

    private record State(int attempt, @Nullable Grant grant, boolean remembers) {}

    private record Row(
            @Nullable Cell<Enqueued> data,
            @Nullable Cell<State> state,
            @Nullable Cell<Enqueued> rerun) {

        static final Row NONE = new Row(null, null, null);
    }

    /** Rows of a queue, and where the scan ended; absent: at the end of the queue. */
    record Slice(List<StoredTask> tasks, Optional<Pid> end) {}

    /** Rows of the time index, and where to go on; null: there are no more. */
    record Hints(List<TimeHint> hints, @Nullable TimeHint next) {}

    // ---------------------------------------------------------------- writes

    /** Returns the writes of a round, each of one row and in no particular order. No two may be about the same row. */
    List<Runnable> writes(FlushRound round, long number) {
        Map<Object, Runnable> writes = new LinkedHashMap<>();
        for (TaskWrite write : round.tasks()) {
            RowId id = new RowId(write.delayed(), write.queue(), write.generation(), write.pid());
            RowId elsewhere = new RowId(!write.delayed(), write.queue(), write.generation(), write.pid());
            add(writes, id, () -> write(id, write, number));
            add(writes, elsewhere, () -> delete(elsewhere, write.deletes()));
            if (write.firesMillis() != 0) {
                TimeHint row = indexRow(write, write.firesMillis());
                add(writes, row, () -> index.put(row, new Cell<>(number, write.dataBytes())));
            }
            if (write.staleFiresMillis() != 0) {
                TimeHint row = indexRow(write, write.staleFiresMillis());
                add(writes, row, () -> index.remove(row));
            }
        }
        for (RecordWrite write : round.records()) {
            QueueKey key = write.queue().key();
            if (!write.forget()) {
                add(writes, "record " + key, () -> records.put(key, new Cell<>(number, write.record())));
            } else if (write.stored()) {
                add(writes, "record " + key, () -> records.remove(key));
            }
        }
        for (ReapMark mark : round.marks()) {
            add(
                    writes,
                    "mark " + mark.queue(),
                    () -> marks.put(mark.queue(), new Cell<>(number, mark.belowGeneration())));
        }
        for (ReapMark mark : round.reaped()) {
            add(writes, "mark " + mark.queue(), () -> marks.remove(mark.queue()));
        }
        for (OptionsChange change : round.options()) {
            QueueKey key = change.queue();
            boolean none = change.options().equals(QueueOptions.NONE);
            add(
                    writes,
                    "options " + key,
                    none ? () -> options.remove(key) : () -> options.put(key, new Cell<>(number, change.options())));
        }
        for (DedupWindow.Row row : round.requests()) {
            add(writes, row, () -> requests.add(new Cell<>(number, row.entries())));
        }
        for (TimeHint hint : round.staleHints()) {
            TimeHint row = hint;
            // The row may be deleted twice, as the stale row of its task and as a stale hint; but never written as
            // well.
            if (round.tasks().stream().anyMatch(write -> isPutBy(write, row))) {
                throw new AssertionError("a round writes and deletes " + row);
            }
            writes.put(row, () -> index.remove(row));
        }
        return new ArrayList<>(writes.values());
    }

    private static void add(Map<Object, Runnable> writes, Object row, Runnable write) {
        if (writes.put(row, write) != null) {
            throw new AssertionError("a round writes twice, in no order: " + row);
        }
    }

    private static boolean isPutBy(TaskWrite write, TimeHint row) {
        return write.firesMillis() != 0 && indexRow(write, write.firesMillis()).equals(row);
    }

    private void write(RowId id, TaskWrite write, long number) {
        delete(id, write.deletes());
        Row row = tasks.getOrDefault(id, Row.NONE);
        Enqueued data = write.data();
        Enqueued rerun = write.rerun();
        put(
                id,
                new Row(
                        data == null ? row.data : new Cell<>(number, data),
                        write.hasState()
                                ? new Cell<>(number, new State(write.attempt(), write.grant(), write.remembers()))
                                : row.state,
                        rerun == null ? row.rerun : new Cell<>(number, rerun)));
    }

    private void delete(RowId id, CellSet cells) {
        Row row = tasks.getOrDefault(id, Row.NONE);
        put(
                id,
                new Row(
                        cells.has(id.delayed, CellSet.DATA) ? null : row.data,
                        cells.has(id.delayed, CellSet.STATE) ? null : row.state,
                        cells.has(id.delayed, CellSet.RERUN) ? null : row.rerun));
    }

    private void put(RowId id, Row row) {
        if (row.equals(Row.NONE)) {
            tasks.remove(id);
        } else {
            tasks.put(id, row);
        }
    }

    void reap(ReapMark mark) {
        tasks.keySet().removeIf(id -> id.queue.equals(mark.queue()) && id.generation < mark.belowGeneration());
    }

    // ---------------------------------------------------------------- reads

    /**
     * Reads a task from either place. While a round moves it, it may be in both. Memory has the task then, and takes
     * precedence over the result.
     */
    Optional<StoredTask> task(QueueKey queue, long generation, Pid pid, LongPredicate believed) {
        List<StoredTask> found = new ArrayList<>();
        CellSet cells = CellSet.NONE;
        for (boolean delayed : new boolean[] {false, true}) {
            RowId id = new RowId(delayed, queue, generation, pid);
            Row row = tasks.getOrDefault(id, Row.NONE);
            cells = cells.and(cellsOf(id, row));
            stored(id, row, believed).ifPresent(found::add);
        }
        CellSet all = cells;
        return found.stream()
                .findFirst()
                .map(task -> new StoredTask(
                        pid, task.data(), task.attempt(), task.grant(), task.remembers(), task.rerun(), all));
    }

    Slice scan(QueueKey queue, long generation, Pid from, int limit, LongPredicate believed) {
        return scan(false, queue, generation, from, limit, believed);
    }

    /** Scans both places, as far as both scans reach. */
    Slice scanAll(QueueKey queue, long generation, Pid from, int limit, LongPredicate believed) {
        Slice a = scan(false, queue, generation, from, limit, believed);
        Slice b = scan(true, queue, generation, from, limit, believed);
        Optional<Pid> end = Stream.concat(a.end.stream(), b.end.stream()).min(Comparator.naturalOrder());
        return new Slice(
                Stream.concat(a.tasks.stream(), b.tasks.stream())
                        .filter(task -> end.isEmpty() || task.pid().compareTo(end.get()) < 0)
                        .toList(),
                end);
    }

    private Slice scan(boolean delayed, QueueKey queue, long generation, Pid from, int limit, LongPredicate believed) {
        List<StoredTask> found = new ArrayList<>();
        Pid last = Pid.EMPTY;
        int seen = 0;
        for (var entry :
                tasks.tailMap(new RowId(delayed, queue, generation, from), true).entrySet()) {
            RowId id = entry.getKey();
            if (id.delayed != delayed || !id.queue.equals(queue) || id.generation != generation) {
                break;
            }
            if (seen == limit) {
                return new Slice(found, Optional.of(last.successor()));
            }
            seen++;
            last = id.pid;
            stored(id, entry.getValue(), believed).ifPresent(found::add);
        }
        return new Slice(found, Optional.empty());
    }

    private static Optional<StoredTask> stored(RowId id, Row row, LongPredicate believed) {
        Cell<Enqueued> data = row.data;
        if (data == null || !believed.test(data.round)) {
            return Optional.empty();
        }
        Cell<State> state = row.state;
        State known = state != null && believed.test(state.round) ? state.value : new State(0, null, false);
        Cell<Enqueued> rerun = row.rerun;
        return Optional.of(new StoredTask(
                id.pid,
                data.value,
                known.attempt,
                known.grant,
                known.remembers,
                rerun != null && believed.test(rerun.round) ? rerun.value : null,
                cellsOf(id, row)));
    }

    private static CellSet cellsOf(RowId id, Row row) {
        return CellSet.of(
                id.delayed,
                (row.data == null ? 0 : CellSet.DATA)
                        + (row.state == null ? 0 : CellSet.STATE)
                        + (row.rerun == null ? 0 : CellSet.RERUN));
    }

    Hints hints(TimeHint from, int limit, LongPredicate believed) {
        List<TimeHint> found = new ArrayList<>();
        TimeHint last = null;
        int seen = 0;
        for (var entry : index.tailMap(from, true).entrySet()) {
            if (seen == limit && last != null) {
                return new Hints(found, last.successor());
            }
            seen++;
            last = entry.getKey();
            if (believed.test(entry.getValue().round)) {
                found.add(last);
            }
        }
        return new Hints(found, null);
    }

    boolean hasInstant(TimeHint hint, LongPredicate believed) {
        Cell<Integer> cell = index.get(hint);
        return cell != null && believed.test(cell.round);
    }

    Map<QueueKey, QueueRecord> records(LongPredicate believed) {
        return believed(records, believed);
    }

    Map<QueueKey, Long> marks(LongPredicate believed) {
        return believed(marks, believed);
    }

    Map<QueueKey, QueueOptions> options(LongPredicate believed) {
        return believed(options, believed);
    }

    List<Bytes> requests(LongPredicate believed) {
        return requests.stream()
                .filter(cell -> believed.test(cell.round))
                .map(Cell::value)
                .toList();
    }

    /**
     * Returns whether nothing is stored that the reader believes, apart from options of queues and remembered requests.
     */
    boolean isEmpty(LongPredicate believed) {
        return tasks.values().stream()
                        .noneMatch(row -> isBelieved(row.data, believed)
                                || isBelieved(row.state, believed)
                                || isBelieved(row.rerun, believed))
                && index.values().stream().noneMatch(cell -> believed.test(cell.round))
                && records(believed).isEmpty()
                && marks(believed).isEmpty();
    }

    @Override
    public String toString() {
        return "tasks " + tasks + ", index " + index + ", records " + records + ", marks " + marks;
    }

    private static boolean isBelieved(@Nullable Cell<?> cell, LongPredicate believed) {
        return cell != null && believed.test(cell.round);
    }

    private static <T> Map<QueueKey, T> believed(Map<QueueKey, Cell<T>> cells, LongPredicate believed) {
        Map<QueueKey, T> values = new TreeMap<>();
        cells.forEach((key, cell) -> {
            if (believed.test(cell.round)) {
                values.put(key, cell.value);
            }
        });
        return values;
    }

    private static TimeHint indexRow(TaskWrite write, long millis) {
        return new TimeHint(millis, write.queue(), write.generation(), write.pid(), 0);
    }
}
