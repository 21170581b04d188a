package io.taskmaster.server.partition.read;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Decision.TaskRow;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.StoredTask;
import io.taskmaster.server.engine.state.TimeHint;
import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.context.PartitionRows;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reads of task rows and of the time index for a partition. It tracks the reads in flight, retries failures, and
 * brings every result back to the loop. Single-threaded: owned by the partition's loop.
 */
public final class StoreReader {

    private final Store store;
    private final StoreCalls calls;
    private final RowKeys keys;
    private final PartitionState state;
    private final StoredRows rows;
    private final ReadIds readIds;
    private long ticketAtLastResult;
    private boolean stopped;

    public StoreReader(PartitionRows stored, PartitionState state, StoredRows rows, ReadIds readIds) {
        this.store = stored.store();
        this.calls = stored.calls();
        this.keys = stored.keys();
        this.state = state;
        this.rows = rows;
        this.readIds = readIds;
    }

    /**
     * A receiver of the outcome of a read: a value, or null and a failure. Called on the loop, before the read counts
     * as ended.
     */
    interface Outcome<T> {
        void accept(long readId, @Nullable T value, @Nullable Throwable failure);
    }

    /**
     * The rows of one queue that a scan found, and the position at which it stopped; empty: at the end of the queue.
     */
    record Slice(List<StoredTask> tasks, Optional<Pid> end) {

        /** Merges two slices as far as both reach; the result is not sorted. */
        static Slice merge(Slice a, Slice b) {
            Optional<Pid> end =
                    a.end.isEmpty() || (b.end.isPresent() && b.end.get().compareTo(a.end.get()) < 0) ? b.end : a.end;
            List<StoredTask> both = new ArrayList<>(a.tasks);
            both.addAll(b.tasks);
            // Beyond the nearer end only one of the two scans has looked.
            end.ifPresent(first -> both.removeIf(task -> task.pid().compareTo(first) >= 0));
            return new Slice(both, end);
        }
    }

    /** The rows of the time index that a scan found, and the position to continue from; null: there are no more. */
    record Hints(List<TimeHint> hints, @Nullable TimeHint next) {}

    /**
     * The last ticket at the time of the last result of a read. A later owner may have written what was read, so no
     * answer based on it may be given before the log has shown that there was none: before a later ticket is committed.
     */
    long ticketAtLastResult() {
        return ticketAtLastResult;
    }

    /** Stops the reader: the reads in flight deliver nothing any more. */
    void stop() {
        stopped = true;
    }

    /** Reads tasks by point reads, one result per row. */
    void tasks(List<TaskRow> requested, Outcome<List<Optional<StoredTask>>> outcome) {
        List<CellKey> cells = new ArrayList<>(2 * requested.size());
        int[] ends = new int[requested.size()];
        for (int i = 0; i < ends.length; i++) {
            addCells(requested.get(i), cells);
            ends[i] = cells.size();
        }
        read(() -> store.read(cells).thenApply(found -> taskRows(requested, found, ends)), outcome);
    }

    /** Adds the cells of a task. A place that is known in memory not to hold it is skipped. */
    private void addCells(TaskRow row, List<CellKey> cells) {
        QueueState queue = state.queue(row.queue());
        boolean unknown = queue == null || queue.generation() != row.generation();
        if (queue == null || unknown || queue.mayBeInPlace(row.pid())) {
            cells.add(keys.task(false, row.queue(), row.generation(), row.pid(), RowKeys.DATA));
            cells.add(keys.task(false, row.queue(), row.generation(), row.pid(), RowKeys.STATE));
            if (row.withRerun()) {
                cells.add(keys.task(false, row.queue(), row.generation(), row.pid(), RowKeys.RERUN));
            }
        }
        if (queue == null || unknown || queue.mayBeDelayed(row.pid())) {
            cells.add(keys.task(true, row.queue(), row.generation(), row.pid(), RowKeys.DATA));
            cells.add(keys.task(true, row.queue(), row.generation(), row.pid(), RowKeys.STATE));
            cells.add(keys.task(true, row.queue(), row.generation(), row.pid(), RowKeys.RERUN));
        }
    }

    private List<Optional<StoredTask>> taskRows(List<TaskRow> requested, List<Optional<Cell>> found, int[] ends) {
        List<Optional<StoredTask>> tasks = new ArrayList<>(requested.size());
        for (int i = 0; i < ends.length; i++) {
            List<Optional<Cell>> cells = found.subList(i == 0 ? 0 : ends[i - 1], ends[i]);
            tasks.add(rows.task(requested.get(i).pid(), cells));
        }
        return tasks;
    }

    /** Scans tasks that are available or leased, for the window. */
    void scan(QueueKey queue, long generation, Pid from, ScanLimit limit, Outcome<Slice> outcome) {
        read(() -> slice(false, queue, generation, from, limit), outcome);
    }

    /** Scans all tasks, delayed ones too. */
    void scanAll(QueueKey queue, long generation, Pid from, ScanLimit limit, Outcome<Slice> outcome) {
        QueueState known = state.queue(queue);
        boolean current = known != null && known.generation() == generation;
        Pid first = known != null && current ? known.firstStored(from) : from;
        if (known != null && current && known.knowsDelayed()) {
            scan(queue, generation, first, limit, (id, slice, failure) -> {
                if (slice == null || known.knowsDelayed() || known.generation() != generation) {
                    outcome.accept(id, slice, failure);
                } else {
                    // Some delayed tasks were evicted during the scan, so memory no longer completes it.
                    scanAll(queue, generation, from, limit, outcome);
                }
            });
        } else {
            read(
                    () -> slice(false, queue, generation, first, limit)
                            .thenCombine(slice(true, queue, generation, from, limit), Slice::merge),
                    outcome);
        }
    }

    private CompletableFuture<Slice> slice(
            boolean delayed, QueueKey queue, long generation, Pid from, ScanLimit limit) {
        return store.scan(keys.tasksFrom(delayed, queue, generation, from), limit)
                .thenApply(result -> {
                    StoredRows.Scanned scanned = rows.tasks(delayed, queue, result.cells());
                    return new Slice(
                            scanned.tasks(),
                            result.complete()
                                    ? Optional.empty()
                                    : scanned.last().map(Pid::successor));
                });
    }

    void hints(TimeHint from, ScanLimit limit, Outcome<Hints> outcome) {
        read(() -> store.scan(keys.instantsFrom(from), limit).thenApply(this::hints), outcome);
    }

    private Hints hints(ScanResult result) {
        List<TimeHint> hints = new ArrayList<>(result.cells().size());
        TimeHint last = null;
        for (Cell cell : result.cells()) {
            last = Corruption.withLocation(
                    cell, () -> RowKeys.decodeInstant(cell.key().row(), cell.value()));
            // The position passes rows that are not believed as well, or the next scan would find them again.
            if (rows.believes(cell)) {
                hints.add(last);
            }
        }
        return new Hints(hints, result.complete() || last == null ? null : last.successor());
    }

    private <T> void read(Supplier<CompletableFuture<T>> operation, Outcome<T> outcome) {
        // Before the store is asked: an entry that becomes clean from now on stays in memory until this read has ended,
        // since the read may return the row as it was before.
        long id = readIds.begin();
        state.reads().changed(readIds.oldest());
        calls.deliver(calls.attempt(operation), (value, failure) -> {
            if (!stopped) {
                // Before the outcome: its decision must already wait for a ticket after this read.
                ticketAtLastResult = state.lastTicket();
                outcome.accept(id, value, failure);
                // After the outcome: entries that only this read keeps must refute it before they may leave.
                readIds.end(id);
                state.reads().changed(readIds.oldest());
            }
        });
    }
}
