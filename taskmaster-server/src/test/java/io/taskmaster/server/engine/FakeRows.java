package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command.Payload;
import io.taskmaster.server.engine.FlushRound.QueueRecord;
import io.taskmaster.server.engine.FlushRound.RecordWrite;
import io.taskmaster.server.engine.FlushRound.TaskWrite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What a partition has stored, on plain sorted maps. Every cell remembers the round that wrote it, so that a reader can choose which
 * to believe. Single-threaded.
 */
final class FakeRows {

    private final TreeMap<RowId, Row> tasks = new TreeMap<>();
    private final TreeMap<ExpiryHint, Cell<Long>> index = new TreeMap<>();
    private final Map<QueueKey, Cell<QueueRecord>> records = new TreeMap<>();
    private final Map<QueueKey, Cell<Long>> marks = new TreeMap<>();

    private record RowId(QueueKey queue, long generation, Pid pid) implements Comparable<RowId> {

        private static final Comparator<RowId> ORDER = Comparator.comparing(RowId::queue)
                .thenComparingLong(RowId::generation)
                .thenComparing(RowId::pid);

        @Override
        public int compareTo(RowId other) {
            return ORDER.compare(this, other);
        }
    }

    private record Cell<T>(long round, T value) {}

    private record Data(Payload payload, long enqueuedMillis) {}

    private record State(int attempt, @Nullable Grant grant) {}

    private record Row(@Nullable Cell<Data> data, @Nullable Cell<State> state) {}

    /** Rows of a queue, and where the scan ended; absent: at the end of the queue. */
    record Slice(List<StoredTask> tasks, Optional<Pid> end) {}

    /** Rows of the time index, and where to go on; null: there are no more. */
    record Hints(List<ExpiryHint> hints, @Nullable ExpiryHint next) {}

    // ---------------------------------------------------------------- writes

    /** The writes of a round, each of one row and in no particular order. No two may be about the same row. */
    List<Runnable> writes(FlushRound round, long number) {
        Map<Object, Runnable> writes = new LinkedHashMap<>();
        for (TaskWrite write : round.tasks()) {
            RowId id = new RowId(write.queue(), write.generation(), write.pid());
            add(writes, id, () -> write(id, write, number));
            Grant grant = write.grant();
            if (grant != null) {
                ExpiryHint row = indexRow(write, grant.expiresMillis());
                add(writes, row, () -> index.put(row, new Cell<>(number, grant.leaseId())));
            }
            if (write.staleExpiryMillis() != 0) {
                ExpiryHint row = indexRow(write, write.staleExpiryMillis());
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
        for (ExpiryHint hint : round.staleHints()) {
            ExpiryHint row = row(hint);
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

    private static boolean isPutBy(TaskWrite write, ExpiryHint row) {
        Grant grant = write.grant();
        return grant != null && indexRow(write, grant.expiresMillis()).equals(row);
    }

    private void write(RowId id, TaskWrite write, long number) {
        Row row = tasks.getOrDefault(id, new Row(null, null));
        Cell<Data> data = row.data;
        Cell<State> state = row.state;
        Payload payload = write.payload();
        if (!write.present()) {
            data = null;
        } else if (payload != null) {
            data = new Cell<>(number, new Data(payload, write.enqueuedMillis()));
        }
        if (write.present() && (write.grant() != null || write.attempt() > 0)) {
            state = new Cell<>(number, new State(write.attempt(), write.grant()));
        } else if (write.deleteState()) {
            state = null;
        }
        if (data == null && state == null) {
            tasks.remove(id);
        } else {
            tasks.put(id, new Row(data, state));
        }
    }

    void reap(ReapMark mark) {
        tasks.keySet().removeIf(id -> id.queue.equals(mark.queue()) && id.generation < mark.belowGeneration());
    }

    // ---------------------------------------------------------------- reads

    Optional<StoredTask> task(QueueKey queue, long generation, Pid pid, LongPredicate believed) {
        Row row = tasks.get(new RowId(queue, generation, pid));
        return row == null ? Optional.empty() : stored(pid, row, believed);
    }

    Slice scan(QueueKey queue, long generation, Pid from, int limit, LongPredicate believed) {
        List<StoredTask> found = new ArrayList<>();
        Pid last = Pid.EMPTY;
        int seen = 0;
        for (var entry : tasks.tailMap(new RowId(queue, generation, from), true).entrySet()) {
            RowId id = entry.getKey();
            if (!id.queue.equals(queue) || id.generation != generation) {
                break;
            }
            if (seen == limit) {
                return new Slice(found, Optional.of(last.successor()));
            }
            seen++;
            last = id.pid;
            stored(last, entry.getValue(), believed).ifPresent(found::add);
        }
        return new Slice(found, Optional.empty());
    }

    private static Optional<StoredTask> stored(Pid pid, Row row, LongPredicate believed) {
        Cell<Data> data = row.data;
        if (data == null || !believed.test(data.round)) {
            return Optional.empty();
        }
        Cell<State> state = row.state;
        State known = state != null && believed.test(state.round) ? state.value : new State(0, null);
        Data value = data.value;
        return Optional.of(
                new StoredTask(pid, value.payload, value.enqueuedMillis, known.attempt, known.grant, state != null));
    }

    Hints hints(ExpiryHint from, int limit, LongPredicate believed) {
        List<ExpiryHint> found = new ArrayList<>();
        ExpiryHint last = null;
        int seen = 0;
        for (var entry : index.tailMap(row(from), true).entrySet()) {
            if (seen == limit && last != null) {
                return new Hints(found, last.successor());
            }
            seen++;
            last = entry.getKey();
            if (believed.test(entry.getValue().round)) {
                found.add(withLease(last, entry.getValue().value));
            }
        }
        return new Hints(found, null);
    }

    boolean hasExpiry(ExpiryHint hint, LongPredicate believed) {
        Cell<Long> cell = index.get(row(hint));
        return cell != null && believed.test(cell.round) && cell.value == hint.leaseId();
    }

    Map<QueueKey, QueueRecord> records(LongPredicate believed) {
        return believed(records, believed);
    }

    Map<QueueKey, Long> marks(LongPredicate believed) {
        return believed(marks, believed);
    }

    /** Whether anything is stored that the reader believes. */
    boolean isEmpty(LongPredicate believed) {
        return tasks.values().stream()
                        .noneMatch(row -> isBelieved(row.data, believed) || isBelieved(row.state, believed))
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

    private static ExpiryHint indexRow(TaskWrite write, long expiresMillis) {
        return new ExpiryHint(expiresMillis, write.queue(), write.generation(), write.pid(), 0);
    }

    /** The row of a hint: the lease id is in its cell, not in its key. */
    private static ExpiryHint row(ExpiryHint hint) {
        return withLease(hint, 0);
    }

    private static ExpiryHint withLease(ExpiryHint row, long leaseId) {
        return new ExpiryHint(row.expiresMillis(), row.queue(), row.generation(), row.pid(), leaseId);
    }
}
