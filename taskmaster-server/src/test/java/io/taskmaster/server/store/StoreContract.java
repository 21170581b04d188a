package io.taskmaster.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.model.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of every store. The test of an adapter extends this class and opens its store. Each test stays within
 * partitions of its own ({@link TestRows}), so that adapters of stores that are slow to create may open the same one
 * each time.
 */
public abstract class StoreContract extends CellContract {

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

    private static List<Bytes> rowsOf(ScanResult result) {
        return result.cells().stream().map(cell -> cell.key().row()).distinct().toList();
    }
}
