package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A store of log and meta rows in memory. While {@link #prompt}, operations land as they are called; otherwise they
 * wait in {@link #inFlight} until the test lets them land, in any order, with or without a reply.
 */
class FakeStore implements Store {

    private static final Stamp UNSTAMPED = new Stamp(0, 0);

    /** An operation in flight. */
    static final class Operation<T> {

        final String name;
        private final Supplier<T> effect;
        private final CompletableFuture<T> future = new CompletableFuture<>();

        Operation(String name, Supplier<T> effect) {
            this.name = name;
            this.effect = effect;
        }

        boolean isRead() {
            return name.startsWith("read") || name.startsWith("scan");
        }

        boolean isAnswered() {
            return future.isDone();
        }

        private void complete(boolean replyLost) {
            T result = effect.get();
            if (replyLost) {
                fail(Outcome.UNKNOWN);
            } else {
                future.complete(result);
            }
        }

        private void fail(Outcome outcome) {
            future.completeExceptionally(new StoreException(outcome, name + ": " + outcome, null));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A store with the contents of another one that finds corruption at every write to one of its tables. */
    static final class Damaged extends FakeStore {

        private static final int ENDLESS = 1_000;

        private final Table table;
        int writes;

        Damaged(FakeStore delegate, Table table) {
            super(delegate.log, delegate.meta);
            this.table = table;
        }

        @Override
        public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
            return key.table() == table ? damage() : super.putIfAbsent(key, value);
        }

        @Override
        public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
            return key.table() == table ? damage() : super.compareAndSet(key, expected, value);
        }

        private CompletableFuture<Boolean> damage() {
            if (++writes == ENDLESS) {
                throw new AssertionError("asked again and again");
            }
            return CompletableFuture.failedFuture(new StoreException(Outcome.CORRUPT, "damaged", null));
        }
    }

    final NavigableMap<Bytes, Bytes> log;
    final NavigableMap<Bytes, Bytes> meta;
    final List<Operation<?>> inFlight = new ArrayList<>();
    boolean prompt = true;

    FakeStore() {
        this(new TreeMap<>(), new TreeMap<>());
    }

    private FakeStore(NavigableMap<Bytes, Bytes> log, NavigableMap<Bytes, Bytes> meta) {
        this.log = log;
        this.meta = meta;
    }

    /** Applies the operation and completes it. */
    void complete(Operation<?> operation) {
        inFlight.remove(operation);
        operation.complete(false);
    }

    /** Applies the operation; its caller gets an unknown outcome. */
    void completeUnknown(Operation<?> operation) {
        inFlight.remove(operation);
        operation.complete(true);
    }

    /** Completes the operation with an unknown outcome; it is still in flight. */
    void timeOut(Operation<?> operation) {
        operation.fail(Outcome.UNKNOWN);
    }

    /** Drops the operation; its caller gets a refusal. */
    void refuse(Operation<?> operation) {
        inFlight.remove(operation);
        operation.fail(Outcome.REFUSED);
    }

    /** Drops the operation; its caller gets an unknown outcome. */
    void lose(Operation<?> operation) {
        inFlight.remove(operation);
        operation.fail(Outcome.UNKNOWN);
    }

    boolean setIfAbsent(CellKey key, Bytes value) {
        return table(key.table()).putIfAbsent(key.row(), value) == null;
    }

    boolean setIfEqual(CellKey key, Optional<Bytes> expected, Bytes value) {
        NavigableMap<Bytes, Bytes> rows = table(key.table());
        if (!Optional.ofNullable(rows.get(key.row())).equals(expected)) {
            return false;
        }
        rows.put(key.row(), value);
        return true;
    }

    void delete(RowRange range) {
        table(range.table()).subMap(range.from(), range.to()).clear();
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        throw new UnsupportedOperationException("the log writes no stamped cells");
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return submit("put " + name(key), () -> setIfAbsent(key, value));
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return submit("compare and set " + name(key), () -> setIfEqual(key, expected, value));
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return submit(
                "read " + name(keys.getFirst()),
                () -> keys.stream()
                        .map(key -> Optional.ofNullable(table(key.table()).get(key.row()))
                                .map(value -> new Cell(key, UNSTAMPED, value)))
                        .toList());
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return submit("scan from " + name(new CellKey(range.table(), range.from(), 0)), () -> {
            List<Cell> cells = new ArrayList<>();
            long bytes = 0;
            for (var row : table(range.table()).subMap(range.from(), range.to()).entrySet()) {
                if (cells.size() == limit.rows() || bytes >= limit.bytes()) {
                    return new ScanResult(cells, false);
                }
                cells.add(new Cell(new CellKey(range.table(), row.getKey(), 0), UNSTAMPED, row.getValue()));
                bytes += row.getKey().size() + row.getValue().size();
            }
            return new ScanResult(cells, true);
        });
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return submit("delete up to " + LogKey.of(range.to()), () -> {
            delete(range);
            return null;
        });
    }

    @Override
    public void close() {}

    private <T> CompletableFuture<T> submit(String name, Supplier<T> effect) {
        Operation<T> operation = new Operation<>(name, effect);
        if (prompt) {
            operation.complete(false);
        } else {
            inFlight.add(operation);
        }
        return operation.future;
    }

    private NavigableMap<Bytes, Bytes> table(Table table) {
        return switch (table) {
            case LOG -> log;
            case META -> meta;
            case TASKS, DELAYED -> Collections.emptyNavigableMap();
        };
    }

    private static String name(CellKey key) {
        return key.table() == Table.LOG ? LogKey.of(key.row()).toString() : "partition record";
    }
}
