package io.taskmaster.simulation.store;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.ForwardingStore;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.simulation.world.Faults;
import io.taskmaster.simulation.world.OwnerProcess;
import io.taskmaster.simulation.world.World;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A store that is shared by all processes of a run, as one process sees it, with every failure that a store may have.
 * Single-threaded: owned by the simulation.
 *
 * <p>Every operation is in flight for a random time. It may land after its issuer has given up on it or crashed, in any
 * order with others, or never. Rows that are written together land one by one. Scans and reads see each row at a
 * different moment.
 *
 * <p>The handle of the store may break, as that of a store within the process may
 * (docs/adr/0012-a-store-that-breaks-is-opened-anew.md). Then everything that was staged through it and not synced may
 * be lost, operations in flight have an unknown outcome, and so has every further operation of its {@link #session},
 * even after there is a new handle:
 *
 * <pre>{@code
 * handle | event                        | next   | effect
 * usable | a changing operation         | usable | in flight; lands, fails or is lost
 * usable | random break                 | broken | unsynced rows may be lost; new handle within 1 s
 * broken | an operation in flight ends  | broken | its outcome is unknown
 * broken | any operation                | broken | fails with an unknown outcome
 * }</pre>
 */
public final class FaultyStore extends ForwardingStore {

    private static final double[] BREAKS = {0, 0, .002, .01};

    /** The factor by which a handle breaks more often right after rows were staged through it. */
    private static final double ONCE_STAGED = 20;

    /**
     * The longest time until the next handle, in microseconds. The time is drawn from 1 µs up, evenly in its logarithm,
     * so that a partition often has not noticed the break.
     */
    private static final double MAX_REOPENING_MICROS = 1_000_000;

    private final World world;
    private final StoredRows rows;
    private final OwnerProcess process;
    private final Tampering tampering;

    /** The random source for breaks of handles, apart from that of the run. */
    private final SplittableRandom handles;

    /** The probability that a handle breaks, per operation that writes. */
    private final double breaks;

    private Handle current = new Handle();

    public FaultyStore(World world, StoredRows rows, OwnerProcess process, Tampering tampering) {
        this.world = world;
        this.rows = rows;
        this.process = process;
        this.tampering = tampering;
        this.handles = world.randomOf("handles of " + process.name());
        this.breaks = BREAKS[handles.nextInt(BREAKS.length)];
        process.atItsEnd(() -> {
            // Either all unsynced rows are lost, or each of them with probability one half.
            boolean isComplete = world.chance(.5);
            rows.lose(process, row -> isComplete || world.chance(.5));
        });
    }

    @Override
    protected Store delegate() {
        return current;
    }

    @Override
    public Store session() {
        return current;
    }

    /** Never completes: after a handle there is always another one. */
    @Override
    public CompletableFuture<RuntimeException> broken() {
        return new CompletableFuture<>();
    }

    @Override
    public void close() {}

    /** A handle, usable until it breaks. */
    private final class Handle implements Store {

        private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();

        @Override
        public CompletableFuture<RuntimeException> broken() {
            return broken;
        }

        private <T> CompletableFuture<T> change(String what, Supplier<CompletableFuture<T>> operation) {
            mayBreak(what, breaks);
            return call(what, operation);
        }

        private void mayBreak(String when, double chance) {
            if (chance > 0 && !broken.isDone() && !world.isHealed() && handles.nextDouble() < chance) {
                breakDown(when);
            }
        }

        private <T> CompletableFuture<T> call(String what, Supplier<CompletableFuture<T>> operation) {
            if (broken.isDone()) {
                return fail(Outcome.UNKNOWN, what + ", through a handle that is broken");
            }
            CompletableFuture<T> answer = new CompletableFuture<>();
            // If the handle breaks while the operation is in flight, the effect may have landed or not.
            var _ = operation.get().whenComplete((value, failure) -> {
                if (broken.isDone()) {
                    answer.completeExceptionally(broken.join());
                } else if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
            return answer;
        }

        private void breakDown(String what) {
            process.log(() -> "has a handle that breaks: " + what);
            boolean isComplete = handles.nextBoolean();
            rows.lose(process, row -> isComplete || handles.nextBoolean());
            broken.complete(new StoreException(Outcome.UNKNOWN, "the handle is broken", null));
            long micros = (long) StrictMath.exp(handles.nextDouble(StrictMath.log(MAX_REOPENING_MICROS)));
            process.in(micros, () -> {
                process.log(() -> "has another handle");
                current = new Handle();
            });
        }

        @Override
        public CompletableFuture<Void> write(List<CellWrite> writes) {
            return change("write", () -> writeRows(writes));
        }

        /**
         * Stages rows. They depend on this handle until they are synced, so a break is made likelier right afterwards.
         */
        @Override
        public CompletableFuture<Void> stage(List<CellWrite> writes) {
            CompletableFuture<Void> staged = change("stage", () -> stageRows(writes, this));
            var _ = staged.thenRun(() -> mayBreak("what was staged is not synced", ONCE_STAGED * breaks));
            return staged;
        }

        @Override
        public CompletableFuture<Void> sync() {
            return change("sync", () -> syncRows(this));
        }

        @Override
        public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
            return change("put if absent", () -> putRow(key, value));
        }

        @Override
        public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
            return change("compare and set", () -> compareAndSetRow(key, expected, value));
        }

        @Override
        public CompletableFuture<Void> deleteRange(RowRange range) {
            return change("delete", () -> deleteRows(range));
        }

        @Override
        public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
            return call("read", () -> readRows(keys));
        }

        @Override
        public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
            return call("scan", () -> scanRows(range, limit));
        }

        @Override
        public void close() {}
    }

    private CompletableFuture<Void> writeRows(List<CellWrite> writes) {
        return write("writes ", writes, change -> rows.apply(change, tampering.stampsAreCompared()));
    }

    /** Stages rows, unless the process has crashed or the handle is broken when they land. */
    private CompletableFuture<Void> stageRows(List<CellWrite> writes, Handle handle) {
        return write("stages ", writes, change -> {
            if (!process.hasCrashed() && !handle.broken.isDone()) {
                rows.stage(process, change, tampering.stampsAreCompared());
            }
        });
    }

    private CompletableFuture<Void> syncRows(Handle handle) {
        Landing landing = new Landing("syncs", () -> {
            if (tampering.syncs() && !process.hasCrashed() && !handle.broken.isDone()) {
                rows.sync(process);
            }
            return true;
        });
        return fly(List.of(landing), tampering.unknownWritesFail()).thenApply(done -> null);
    }

    private CompletableFuture<Void> write(String how, List<CellWrite> writes, Consumer<CellWrite> effect) {
        TreeMap<RowId, List<CellWrite>> byRow = new TreeMap<>();
        for (CellWrite write : writes) {
            byRow.computeIfAbsent(RowId.of(write.key()), row -> new ArrayList<>())
                    .add(write);
        }
        List<Landing> landings = new ArrayList<>();
        byRow.forEach((row, changes) -> landings.add(new Landing(how + row + " " + describe(changes), () -> {
            changes.forEach(effect);
            return true;
        })));
        return fly(landings, tampering.unknownWritesFail()).thenApply(all -> null);
    }

    private CompletableFuture<Boolean> putRow(CellKey key, Bytes value) {
        BooleanSupplier effect = () -> tampering.putIfAbsent(key, value);
        Landing landing = new Landing("puts " + Labels.of(key, value), effect);
        if (tampering.answersBeforeDurable(key, value)) {
            long delay = latency();
            process.in(world.logUniform(1_000, 100_000), () -> apply(landing));
            return answer(delay, true);
        }
        return fly(List.of(landing), true);
    }

    private CompletableFuture<Boolean> compareAndSetRow(CellKey key, Optional<Bytes> expected, Bytes value) {
        String what = "sets " + Labels.of(key, value);
        return fly(List.of(new Landing(what, () -> tampering.compareAndSet(process, key, expected, value))), true);
    }

    private CompletableFuture<Void> deleteRows(RowRange range) {
        String what = "deletes " + Labels.of(range);
        return fly(List.of(new Landing(what, () -> deleteLazily(tampering.deleted(range)))), true)
                .thenApply(done -> null);
    }

    private boolean deleteLazily(RowRange range) {
        // A range deletion is not atomic: rows disappear one by one, some of them late.
        for (Bytes row : rows.rowsOf(range)) {
            world.in(world.chance(.7) ? 0 : latency(), () -> rows.deleteRow(range.table(), row));
        }
        return true;
    }

    private CompletableFuture<List<Optional<Cell>>> readRows(List<CellKey> keys) {
        if (world.chance(world.faults.lose())) {
            return fail(Outcome.UNKNOWN, "read");
        }
        CompletableFuture<List<Optional<Cell>>> future = new CompletableFuture<>();
        TreeMap<RowId, List<Optional<Cell>>> found = new TreeMap<>();
        Collection<RowId> asked = keys.stream().map(RowId::of).collect(Collectors.toCollection(TreeSet::new));
        for (RowId row : asked) {
            world.in(latency(), () -> {
                found.put(
                        row,
                        keys.stream()
                                .filter(key -> RowId.of(key).equals(row))
                                .map(key -> rows.cell(key).map(tampering::seen))
                                .toList());
                if (found.size() == asked.size()) {
                    List<Optional<Cell>> all = keys.stream()
                            .map(key -> pick(found.getOrDefault(RowId.of(key), List.of()), key))
                            .toList();
                    answerTo(future, replyMicros(), all);
                }
            });
        }
        if (asked.isEmpty()) {
            answerTo(future, latency(), List.of());
        }
        return future;
    }

    private static Optional<Cell> pick(List<Optional<Cell>> ofRow, CellKey key) {
        return ofRow.stream()
                .flatMap(Optional::stream)
                .filter(cell -> cell.key().equals(key))
                .findFirst();
    }

    private CompletableFuture<ScanResult> scanRows(RowRange range, ScanLimit limit) {
        if (world.chance(world.faults.lose())) {
            return fail(Outcome.UNKNOWN, "scan");
        }
        CompletableFuture<ScanResult> future = new CompletableFuture<>();
        world.in(latency(), () -> scanOn(new Scan(future, limit), range));
        return future;
    }

    private static final class Scan {

        private final CompletableFuture<ScanResult> future;
        private final ScanLimit limit;
        private final List<Cell> cells = new ArrayList<>();
        private int rows;
        private long bytes;

        private Scan(CompletableFuture<ScanResult> future, ScanLimit limit) {
            this.future = future;
            this.limit = limit;
        }
    }

    /** Reads rows, with random pauses in which others write. */
    private void scanOn(Scan scan, RowRange range) {
        RowRange remaining = range;
        do {
            Optional<List<Cell>> row = rows.firstRow(remaining);
            if (row.isEmpty()) {
                answerTo(scan.future, replyMicros(), new ScanResult(scan.cells, true));
                return;
            }
            if (scan.rows == scan.limit.rows() || scan.bytes >= scan.limit.bytes()) {
                answerTo(scan.future, replyMicros(), new ScanResult(scan.cells, false));
                return;
            }
            row.get().stream().map(tampering::seen).forEach(cell -> {
                scan.cells.add(cell);
                scan.bytes += cell.key().row().size() + cell.value().size();
            });
            scan.rows++;
            Bytes last = row.get().getFirst().key().row();
            remaining = new RowRange(range.table(), RowId.after(last), range.to());
        } while (world.chance(.7));
        RowRange behind = remaining;
        world.in(latency() / 4, () -> scanOn(scan, behind));
    }

    /** A change of one row in flight. */
    private record Landing(String what, BooleanSupplier effect) {

        @Override
        public String toString() {
            return what;
        }
    }

    /**
     * Puts changes in flight. The future completes once all have landed, if they do, with the result of the last one.
     */
    private CompletableFuture<Boolean> fly(List<Landing> landings, boolean unknownFails) {
        if (world.chance(world.faults.refuse())) {
            return fail(
                    Outcome.REFUSED,
                    landings.isEmpty() ? "" : landings.getFirst().what());
        }
        CompletableFuture<Boolean> future = new CompletableFuture<>();
        boolean lost = world.chance(world.faults.lose());
        if (lost) {
            giveUp(future, landings.toString(), world.logUniform(1_000, 50_000), unknownFails);
        }
        int[] pending = {landings.size()};
        boolean[] last = {true};
        for (Landing landing : landings) {
            long delay = latency();
            // Of an operation that is reported as lost, some rows never land, and others long after its issuer has
            // given up.
            if (lost && world.chance(.3)) {
                continue;
            }
            if (lost && world.chance(.4)) {
                delay += world.logUniform(1_000, 3_000_000);
            }
            // Most operations in flight survive the crash of their issuer, as packets do; one in five dies with it.
            boolean dropped = world.chance(.2);
            world.in(delay, () -> {
                if (dropped && process.hasCrashed()) {
                    return;
                }
                last[0] = apply(landing);
                if (--pending[0] == 0) {
                    answerTo(future, latency() / 4, last[0]);
                }
            });
        }
        if (landings.isEmpty()) {
            answerTo(future, latency(), true);
        } else if (!lost && world.chance(world.faults.stuck())) {
            giveUp(future, landings.toString(), world.logUniform(500, 50_000), unknownFails);
        }
        return future;
    }

    private boolean apply(Landing landing) {
        boolean result = landing.effect().getAsBoolean();
        world.log(() -> process.name() + " " + landing.what() + (result ? "" : ": no")
                + (process.hasCrashed() ? " (its issuer is gone)" : ""));
        return result;
    }

    private void giveUp(CompletableFuture<Boolean> future, String what, long delayMicros, boolean fails) {
        process.in(delayMicros, () -> {
            if (!future.isDone()) {
                process.log(() -> "never hears of: " + what + (fails ? "" : ", but believes in it"));
                if (fails) {
                    future.completeExceptionally(new StoreException(Outcome.UNKNOWN, "lost: " + what, null));
                } else {
                    future.complete(true);
                }
            }
        });
    }

    private <T> CompletableFuture<T> fail(Outcome outcome, String what) {
        CompletableFuture<T> future = new CompletableFuture<>();
        process.in(latency(), () -> {
            process.log(() -> "fails (" + outcome + "): " + what);
            future.completeExceptionally(new StoreException(outcome, "simulated", null));
        });
        return future;
    }

    private <T> CompletableFuture<T> answer(long delayMicros, T result) {
        CompletableFuture<T> future = new CompletableFuture<>();
        answerTo(future, delayMicros, result);
        return future;
    }

    private <T> void answerTo(CompletableFuture<T> future, long delayMicros, T result) {
        process.in(delayMicros, () -> future.complete(result));
    }

    /** Returns the time that the result of a read takes to return. */
    private long replyMicros() {
        return world.chance(world.faults.late()) ? world.logUniform(10_000, 1_000_000) : latency() / 4;
    }

    private long latency() {
        Faults faults = world.faults;
        long usual = world.logUniform(Math.max(1, faults.latencyMicros() / 4), faults.latencyMicros() * 2);
        if (world.chance(faults.stuck())) {
            return usual + world.logUniform(10_000, 3_000_000);
        }
        return world.chance(faults.slow()) ? usual * world.random.nextInt(2, 20) : usual;
    }

    private static String describe(List<CellWrite> changes) {
        return changes.stream()
                .map(change -> change.key().column() + (change instanceof CellWrite.Delete ? " gone " : " ")
                        + change.stamp().epoch() + "." + change.stamp().round())
                .toList()
                .toString();
    }
}
