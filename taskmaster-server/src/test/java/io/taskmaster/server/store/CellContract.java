package io.taskmaster.server.store;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The part of the contract of every store that is about single cells: their values, their stamps, and races for them.
 */
abstract class CellContract {

    /** The timeout of stores that have one. Long, since these tests are not about timeouts. */
    protected static final Duration TIMEOUT = Duration.ofMinutes(2);

    static final ScanLimit ALL = new ScanLimit(Integer.MAX_VALUE, Long.MAX_VALUE);
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

    static Optional<Bytes> value(String text) {
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
