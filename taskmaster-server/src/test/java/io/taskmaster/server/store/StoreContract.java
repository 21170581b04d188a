package io.taskmaster.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.model.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every store. The test of an adapter extends this class and opens its store. Each test stays within
 * partitions of its own ({@link TestRows}), so that adapters of stores that are slow to create may open the same one
 * each time.
 */
public abstract class StoreContract {

    /** The timeout of stores that have one. Long, since these tests are not about timeouts. */
    protected static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final ScanLimit ALL = new ScanLimit(Integer.MAX_VALUE, Long.MAX_VALUE);

    protected final TestRows rows = new TestRows();
    protected Store store;

    /** Returns an open store, which may hold rows of other partitions. */
    protected abstract Store open() throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    @Test
    void missingCellsReadAsEmptyInTheOrderOfTheKeys() {
        put(rows.cell("b"), 1, 1, "B");
        put(rows.cell("d"), 1, 1, "D");

        List<Optional<Cell>> read = store.read(
                        List.of(rows.cell("d"), rows.cell("c"), rows.cell("b"), rows.cell("d"), rows.cell("b", 9)))
                .join();

        assertThat(read.stream().map(cell -> cell.map(Cell::value)))
                .containsExactly(value("D"), Optional.empty(), value("B"), value("D"), Optional.empty());
        assertThat(store.read(List.of()).join()).isEmpty();
    }

    @Test
    void cellKeepsItsStampAndItsBytes() {
        CellKey key = rows.cell("r", 255);
        Stamp stamp = new Stamp(Stamp.MAX_EPOCH, Stamp.MAX_ROUND);
        store.write(List.of(new CellWrite.Put(key, stamp, Bytes.EMPTY))).join();

        assertThat(read(key)).contains(new Cell(key, stamp, Bytes.EMPTY));
    }

    @Test
    void bigValueGivesWayToASmallOneAndBack() {
        CellKey key = rows.cell("r", 0);
        CellKey neighbour = rows.cell("r", 1);
        Bytes big = Bytes.wrap(new byte[Store.MAX_VALUE_BYTES]);
        store.write(List.of(
                        new CellWrite.Put(key, new Stamp(1, 1), big),
                        new CellWrite.Put(neighbour, new Stamp(1, 1), Bytes.of("n"))))
                .join();

        put(key, 1, 2, "small");
        assertThat(scan(rows.all(Table.TASKS), ALL).cells())
                .containsExactly(
                        new Cell(key, new Stamp(1, 2), Bytes.of("small")),
                        new Cell(neighbour, new Stamp(1, 1), Bytes.of("n")));
        store.write(List.of(new CellWrite.Put(key, new Stamp(1, 3), big))).join();
        assertThat(read(key).orElseThrow().value()).isEqualTo(big);
        store.write(List.of(
                        new CellWrite.Delete(key, new Stamp(1, 4)), new CellWrite.Delete(neighbour, new Stamp(1, 4))))
                .join();
        assertThat(scan(rows.all(Table.TASKS), ALL).cells()).isEmpty();
        put(key, 1, 5, "again");
        assertThat(readText(key)).contains("again");
    }

    @Test
    void bigValueComesBackWhole() {
        byte[] big = new byte[Store.MAX_VALUE_BYTES];
        new Random(1).nextBytes(big);
        CellKey stamped = rows.cell("big");
        CellKey unstamped = rows.cell(Table.LOG, "big", 0);
        CompletableFuture<Void> write = store.write(List.of(
                new CellWrite.Put(stamped, new Stamp(1, 1), Bytes.wrap(big)),
                new CellWrite.Put(rows.cell("small"), new Stamp(1, 1), Bytes.of("small"))));
        assertThat(store.putIfAbsent(unstamped, Bytes.wrap(big)).join()).isTrue();
        write.join();

        assertThat(read(stamped).orElseThrow().value()).isEqualTo(Bytes.wrap(big));
        assertThat(read(unstamped).orElseThrow().value()).isEqualTo(Bytes.wrap(big));
        assertThat(readText(rows.cell("small"))).contains("small");
    }

    @Test
    void putIfAbsentSetsOnceAndShowsNoStamp() {
        CellKey key = rows.cell(Table.LOG, "1", 0);

        assertThat(store.putIfAbsent(key, Bytes.of("first")).join()).isTrue();
        assertThat(store.putIfAbsent(key, Bytes.of("second")).join()).isFalse();
        assertThat(read(key)).contains(new Cell(key, Stamp.NONE, Bytes.of("first")));
    }

    @Test
    void compareAndSetComparesTheWholeValue() {
        CellKey key = rows.cell(Table.META, "record", 0);

        assertThat(cas(key, Optional.of("a"), "b")).isFalse();
        assertThat(cas(key, Optional.empty(), "a")).isTrue();
        assertThat(cas(key, Optional.empty(), "b")).isFalse();
        assertThat(cas(key, Optional.of("ab"), "b")).isFalse();
        assertThat(cas(key, Optional.of(""), "b")).isFalse();
        assertThat(cas(key, Optional.of("a"), "")).isTrue();
        assertThat(cas(key, Optional.of(""), "c")).isTrue();
        assertThat(readText(key)).contains("c");
    }

    @Test
    void onlyOneOfManyPutsOfTheSameCellWins() throws Exception {
        for (int round = 0; round < 20; round++) {
            CellKey key = rows.cell(Table.LOG, "race" + round, 0);
            List<Boolean> won = inParallel(
                    8, i -> store.putIfAbsent(key, Bytes.of("writer" + i)).join());

            assertThat(Collections.frequency(won, true)).isEqualTo(1);
            assertThat(readText(key)).contains("writer" + won.indexOf(true));
        }
    }

    @Test
    void everyCompareAndSetOfManyThreadsBuildsOnTheLast() throws Exception {
        CellKey key = rows.cell(Table.META, "counter", 0);
        assertThat(cas(key, Optional.empty(), "0")).isTrue();
        inParallel(8, i -> {
            for (int added = 0; added < 25; ) {
                String held = readText(key).orElseThrow();
                if (cas(key, Optional.of(held), Integer.toString(Integer.parseInt(held) + 1))) {
                    added++;
                }
            }
            return true;
        });

        assertThat(readText(key)).contains("200");
    }

    @Test
    void olderStampNeverReplacesANewerOne() {
        CellKey key = rows.cell("r");
        put(key, 2, 5, "newest");

        put(key, 2, 4, "older round");
        put(key, 1, 9, "older epoch");
        assertThat(readText(key)).contains("newest");

        put(key, 2, 5, "same");
        assertThat(readText(key)).contains("same");
        put(key, 2, 6, "newer round");
        put(key, 3, 1, "newer epoch");
        assertThat(read(key)).contains(new Cell(key, new Stamp(3, 1), Bytes.of("newer epoch")));
    }

    @Test
    void olderStampNeverDeletesANewerOne() {
        CellKey key = rows.cell("r");
        put(key, 2, 5, "kept");

        delete(key, 2, 4);
        delete(key, 1, 9);
        assertThat(readText(key)).contains("kept");

        delete(key, 2, 5);
        assertThat(read(key)).isEmpty();
        delete(key, 1, 1);
        put(key, 2, 6, "again");
        assertThat(readText(key)).contains("again");
    }

    @Test
    void stampsAreComparedCellByCellWithinOneWrite() {
        CellKey held = rows.cell("r", 0);
        CellKey free = rows.cell("r", 1);
        put(held, 5, 5, "held");

        store.write(List.of(
                        new CellWrite.Put(held, new Stamp(4, 1), Bytes.of("late")),
                        new CellWrite.Put(free, new Stamp(4, 1), Bytes.of("late")),
                        new CellWrite.Put(rows.cell("s"), new Stamp(4, 1), Bytes.of("late")),
                        new CellWrite.Put(rows.cell("t"), new Stamp(6, 1), Bytes.of("new"))))
                .join();

        assertThat(readText(held)).contains("held");
        assertThat(read(free)).contains(new Cell(free, new Stamp(4, 1), Bytes.of("late")));
        assertThat(readText(rows.cell("s"))).contains("late");
        assertThat(readText(rows.cell("t"))).contains("new");
    }

    @Test
    void stampsDoNotReachAcrossPartitions() {
        put(rows.cell("r"), 9, 9, "here");
        TestRows elsewhere = new TestRows();
        put(elsewhere.cell("r"), 1, 1, "old");
        put(elsewhere.cell("r"), 1, 2, "new");

        assertThat(readText(elsewhere.cell("r"))).contains("new");
    }

    @Test
    void changesOfOneRowAreSeenAllOrNothing() throws Exception {
        int columns = 5;
        List<CellKey> row =
                IntStream.range(0, columns).mapToObj(i -> rows.cell("row", i)).toList();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= 200; i++) {
                String value = "v" + i;
                Stamp stamp = new Stamp(1, i);
                store.write(row.stream()
                                .map(key -> (CellWrite) new CellWrite.Put(key, stamp, Bytes.of(value)))
                                .toList())
                        .join();
            }
        });
        while (!writer.isDone()) {
            List<Cell> cells = scan(rows.all(Table.TASKS), ALL).cells();
            assertThat(cells.size()).isIn(0, columns);
            assertThat(cells.stream().map(Cell::value).distinct().count()).isLessThanOrEqualTo(1);
        }
        writer.join();
        assertThat(readText(row.getLast())).contains("v200");
    }

    @Test
    void scanIsInUnsignedOrderOfAnyBytes() {
        List<Bytes> sorted = Stream.of(
                        "",
                        "00",
                        "0000",
                        "0001",
                        "00010000",
                        "00ff",
                        "01",
                        "0100",
                        "01ff",
                        "7f",
                        "80",
                        "fe",
                        "ff",
                        "ff00",
                        "ffff")
                .map(rows::hex)
                .toList();
        List<CellKey> keys = sorted.stream()
                .flatMap(row -> Stream.of(0, 1, 128, 255).map(column -> new CellKey(Table.TASKS, row, column)))
                .toList();
        List<CellKey> shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, new Random(7));
        shuffled.forEach(key -> put(key, 1, 1, "x"));

        ScanResult all = scan(rows.all(Table.TASKS), ALL);
        assertThat(all.cells().stream().map(Cell::key)).containsExactlyElementsOf(keys);
        assertThat(all.complete()).isTrue();
        for (int from = 0; from < sorted.size(); from++) {
            for (int to = 0; to < sorted.size(); to++) {
                List<Bytes> expected = sorted.subList(from, Math.max(from, to));
                ScanResult part = scan(new RowRange(Table.TASKS, sorted.get(from), sorted.get(to)), ALL);
                assertThat(rowsOf(part)).containsExactlyElementsOf(expected);
                assertThat(part.complete()).isTrue();
            }
        }
    }

    @Test
    void scanStopsAtItsLimitsButNeverWithinARow() {
        for (String row : List.of("a", "b", "c")) {
            put(rows.cell(row, 0), 1, 1, "0".repeat(100));
            put(rows.cell(row, 1), 1, 1, "1".repeat(100));
        }
        RowRange all = rows.all(Table.TASKS);

        ScanResult two = scan(all, new ScanLimit(2, Long.MAX_VALUE));
        assertThat(two.cells()).hasSize(4);
        assertThat(two.complete()).isFalse();

        ScanResult three = scan(all, new ScanLimit(3, Long.MAX_VALUE));
        assertThat(three.cells()).hasSize(6);
        assertThat(three.complete()).isTrue();

        ScanResult one = scan(all, new ScanLimit(Integer.MAX_VALUE, 1));
        assertThat(one.cells()).hasSize(2);
        assertThat(one.complete()).isFalse();

        ScanResult some = scan(all, new ScanLimit(Integer.MAX_VALUE, 250));
        assertThat(some.cells()).hasSize(4);
    }

    @Test
    void scanGoesOnBehindTheLastRow() {
        IntStream.range(0, 25).forEach(i -> put(rows.cell("row%02d".formatted(i)), 1, 1, "v" + i));
        List<Bytes> seen = new ArrayList<>();
        RowRange remaining = rows.all(Table.TASKS);
        ScanResult part;
        do {
            part = scan(remaining, new ScanLimit(4, Long.MAX_VALUE));
            seen.addAll(rowsOf(part));
            remaining = new RowRange(Table.TASKS, TestRows.after(seen.getLast()), remaining.to());
        } while (!part.complete());

        assertThat(seen).hasSize(25).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void scanOfNothingIsEmptyAndComplete() {
        put(rows.cell("b"), 1, 1, "B");

        assertThat(scan(rows.range("c", "d"), ALL)).isEqualTo(new ScanResult(List.of(), true));
        assertThat(scan(rows.range("b", "b"), ALL)).isEqualTo(new ScanResult(List.of(), true));
        assertThat(scan(rows.range("c", "a"), ALL)).isEqualTo(new ScanResult(List.of(), true));
        assertThat(scan(rows.all(Table.DELAYED), ALL)).isEqualTo(new ScanResult(List.of(), true));
    }

    @Test
    void deleteRangeTakesItsRowsAndNoOthers() {
        for (String row : List.of("a", "b", "b\0", "bb", "c", "d")) {
            put(rows.cell(row), 7, 7, row);
            store.putIfAbsent(rows.cell(Table.LOG, row, 0), Bytes.of(row)).join();
        }
        for (Table table : List.of(Table.TASKS, Table.LOG)) {
            store.deleteRange(rows.range(table, "c", "a")).join();
            store.deleteRange(rows.range(table, "b", "b")).join();
            assertThat(scan(rows.all(table), ALL).cells()).hasSize(6);

            store.deleteRange(rows.range(table, "b", "c")).join();
            await().pollDelay(Duration.ZERO)
                    .untilAsserted(() -> assertThat(rowsOf(scan(rows.all(table), ALL)))
                            .containsExactly(rows.row("a"), rows.row("c"), rows.row("d")));
        }
        assertThat(readText(rows.cell("b"))).isEmpty();
        assertThat(readText(rows.cell("c"))).contains("c");
    }

    @Test
    void sameRowInAnotherTableIsAnotherRow() {
        put(rows.cell(Table.TASKS, "r", 0), 1, 1, "task");
        put(rows.cell(Table.DELAYED, "r", 0), 1, 1, "delayed");
        put(rows.cell(Table.META, "r", 0), 1, 1, "meta");
        delete(rows.cell(Table.DELAYED, "r", 0), 1, 1);

        assertThat(readText(rows.cell(Table.TASKS, "r", 0))).contains("task");
        assertThat(read(rows.cell(Table.DELAYED, "r", 0))).isEmpty();
        assertThat(readText(rows.cell(Table.META, "r", 0))).contains("meta");
    }

    @Test
    void manyOperationsInFlightAllLand() throws Exception {
        int threads = 8;
        int each = 200;
        List<Integer> written = inParallel(threads, thread -> {
            List<CompletableFuture<?>> inFlight = new ArrayList<>();
            for (int i = 0; i < each; i++) {
                String row = thread + "-" + i;
                inFlight.add(store.putIfAbsent(rows.cell(Table.LOG, row, 0), Bytes.of(row)));
                inFlight.add(store.write(
                        List.of(new CellWrite.Put(rows.cell(row), new Stamp(1, thread), Bytes.of("x" + row)))));
                inFlight.add(store.scan(rows.all(Table.TASKS), new ScanLimit(3, 1000)));
            }
            inFlight.forEach(CompletableFuture::join);
            return inFlight.size();
        });

        assertThat(written).containsOnly(3 * each);
        assertThat(scan(rows.all(Table.LOG), ALL).cells()).hasSize(threads * each);
        assertThat(scan(rows.all(Table.TASKS), ALL).cells()).hasSize(threads * each);
    }

    @Test
    void largeWriteLandsWholeWhateverItsOrder() {
        List<CellWrite> writes = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            Bytes value = Bytes.wrap(new byte[1000]);
            writes.add(new CellWrite.Put(rows.cell("r" + i % 1500, i / 1500), new Stamp(1, 1), value));
        }
        store.write(writes).join();

        assertThat(scan(rows.all(Table.TASKS), ALL).cells()).hasSize(3000);
    }

    @Test
    void emptyWriteSucceeds() {
        store.write(List.of()).join();
        assertThat(scan(rows.all(Table.TASKS), ALL).cells()).isEmpty();
    }

    @Test
    void randomOperationsAgreeWithANaiveModel() {
        for (long seed = 1; seed <= 5; seed++) {
            new RandomOperations(store, new TestRows(), seed).run(600);
        }
    }

    @Test
    void whatIsStagedIsSeenLikeWhatIsWritten() {
        CellKey key = rows.cell("staged");
        put(key, 2, 1, "written");
        store.stage(List.of(new CellWrite.Put(key, new Stamp(1, 9), Bytes.of("older"))))
                .join();
        assertThat(readText(key)).contains("written");

        store.stage(List.of(new CellWrite.Put(key, new Stamp(2, 2), Bytes.of("newer"))))
                .join();
        assertThat(read(key)).contains(new Cell(key, new Stamp(2, 2), Bytes.of("newer")));
        store.sync().join();
        assertThat(readText(key)).contains("newer");

        store.stage(List.of(new CellWrite.Delete(key, new Stamp(2, 3)))).join();
        assertThat(readText(key)).isEmpty();
        store.sync().join();
        assertThat(readText(key)).isEmpty();
    }

    @Test
    void closedStoreRefuses() {
        store.close();
        store.close();

        assertRefused(store.read(List.of(rows.cell("r"))));
        assertRefused(store.scan(rows.all(Table.TASKS), ALL));
        assertRefused(store.putIfAbsent(rows.cell(Table.LOG, "r", 0), Bytes.EMPTY));
        assertRefused(store.write(List.of(new CellWrite.Delete(rows.cell("r"), Stamp.NONE))));
        assertRefused(store.stage(List.of(new CellWrite.Delete(rows.cell("r"), Stamp.NONE))));
        assertRefused(store.deleteRange(rows.all(Table.LOG)));
    }

    private static void assertRefused(CompletableFuture<?> operation) {
        assertThat(operation)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.outcome()).isEqualTo(StoreException.Outcome.REFUSED));
    }

    protected final void put(CellKey key, long epoch, long round, String value) {
        store.write(List.of(new CellWrite.Put(key, new Stamp(epoch, round), Bytes.of(value))))
                .join();
    }

    protected final void delete(CellKey key, long epoch, long round) {
        store.write(List.of(new CellWrite.Delete(key, new Stamp(epoch, round)))).join();
    }

    protected final boolean cas(CellKey key, Optional<String> expected, String value) {
        return store.compareAndSet(key, expected.map(Bytes::of), Bytes.of(value))
                .join();
    }

    protected final Optional<Cell> read(CellKey key) {
        return store.read(List.of(key)).join().getFirst();
    }

    protected final Optional<String> readText(CellKey key) {
        return read(key).map(cell -> cell.value().toString());
    }

    protected final ScanResult scan(RowRange range, ScanLimit limit) {
        return store.scan(range, limit).join();
    }

    private static List<Bytes> rowsOf(ScanResult result) {
        return result.cells().stream().map(cell -> cell.key().row()).distinct().toList();
    }

    private static Optional<Bytes> value(String text) {
        return Optional.of(Bytes.of(text));
    }

    /** The body of one of several racing threads. */
    protected interface Racer<T> {
        T run(int thread) throws Exception;
    }

    protected static <T> List<T> inParallel(int threads, Racer<T> racer) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Callable<T>> tasks = IntStream.range(0, threads)
                    .mapToObj(i -> (Callable<T>) () -> racer.run(i))
                    .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> future : pool.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
    }
}
