package io.taskmaster.server.partition;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Decision.TaskRow;
import io.taskmaster.server.engine.ExpiryHint;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.StoredTask;
import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.partition.log.StoreCalls;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads task rows and the time index for a partition. Keeps count of the reads under way, tries again what fails, and brings
 * everything back to the loop. Single-threaded: owned by the partition's loop.
 */
final class StoreReader {

    private final Store store;
    private final StoreCalls calls;
    private final PartitionState state;
    private final RowKeys keys;
    private final StoredRows rows;
    private final Reads reads;
    private long ticketAtLastResult;
    private boolean stopped;

    StoreReader(Store store, StoreCalls calls, PartitionState state, RowKeys keys, StoredRows rows, Reads reads) {
        this.store = store;
        this.calls = calls;
        this.state = state;
        this.keys = keys;
        this.rows = rows;
        this.reads = reads;
    }

    /** What came of a read: a value, or null and a failure. Called on the loop, before the read counts as ended. */
    interface Outcome<T> {
        void accept(long readId, @Nullable T value, @Nullable Throwable failure);
    }

    /** Rows of one queue: what a scan found, and where it ended; empty: at the end of the queue. */
    record Slice(List<StoredTask> tasks, Optional<Pid> end) {}

    /** Rows of the time index, and where to go on; null: there are no more. */
    record Hints(List<ExpiryHint> hints, @Nullable ExpiryHint next) {}

    /**
     * The last ticket when something was read last. A successor may have been at work on what was read, so nothing that rests on it
     * may be told before the log shows that there was none: before a later ticket is committed.
     */
    long ticketAtLastResult() {
        return ticketAtLastResult;
    }

    /** Nothing that is still under way comes back. */
    void stop() {
        stopped = true;
    }

    /** Point reads, one result per row. */
    void tasks(List<TaskRow> wanted, Outcome<List<Optional<StoredTask>>> outcome) {
        List<CellKey> cells = new ArrayList<>(2 * wanted.size());
        for (TaskRow row : wanted) {
            var key = keys.task(row.queue(), row.generation(), row.pid());
            cells.add(new CellKey(Table.TASKS, key, RowKeys.DATA));
            cells.add(new CellKey(Table.TASKS, key, RowKeys.STATE));
        }
        read(() -> store.read(cells).thenApply(found -> taskRows(wanted, found)), outcome);
    }

    private List<Optional<StoredTask>> taskRows(List<TaskRow> wanted, List<Optional<Cell>> found) {
        List<Optional<StoredTask>> tasks = new ArrayList<>(wanted.size());
        for (int i = 0; i < wanted.size(); i++) {
            tasks.add(rows.task(wanted.get(i).pid(), found.get(2 * i), found.get(2 * i + 1)));
        }
        return tasks;
    }

    void scan(QueueKey queue, long generation, Pid from, ScanLimit limit, Outcome<Slice> outcome) {
        read(
                () -> store.scan(keys.tasksFrom(queue, generation, from), limit)
                        .thenApply(result -> slice(queue, result)),
                outcome);
    }

    private Slice slice(QueueKey queue, ScanResult result) {
        StoredRows.Scanned scanned = rows.tasks(queue, result.cells());
        return new Slice(
                scanned.tasks(),
                result.complete() ? Optional.empty() : scanned.last().map(Pid::successor));
    }

    void hints(ExpiryHint from, ScanLimit limit, Outcome<Hints> outcome) {
        read(() -> store.scan(keys.expiriesFrom(from), limit).thenApply(this::hints), outcome);
    }

    private Hints hints(ScanResult result) {
        List<ExpiryHint> hints = new ArrayList<>(result.cells().size());
        ExpiryHint last = null;
        for (Cell cell : result.cells()) {
            last = RowKeys.decodeExpiry(cell.key().row(), cell.value());
            if (rows.believes(cell)) {
                hints.add(last);
            }
        }
        return new Hints(hints, result.complete() || last == null ? null : last.successor());
    }

    private <T> void read(Supplier<CompletableFuture<T>> operation, Outcome<T> outcome) {
        long id = reads.begin();
        state.readsChanged(reads.oldest());
        calls.deliver(calls.attempt(operation), (value, failure) -> {
            if (!stopped) {
                ticketAtLastResult = state.lastTicket();
                outcome.accept(id, value, failure);
                reads.end(id);
                state.readsChanged(reads.oldest());
            }
        });
    }
}
