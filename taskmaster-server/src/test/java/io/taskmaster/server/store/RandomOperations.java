package io.taskmaster.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.model.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Random operations from a seed, each compared with a naive model: a hash map that is sorted for each scan. Stamps are
 * always newer than a previous delete of their cell, since stores may differ otherwise. Single-threaded.
 */
final class RandomOperations {

    private static final int COLUMNS = 3;
    private static final Comparator<Cell> BY_KEY = Comparator.comparing(Cell::key);

    private Store store;
    private final TestRows rows;
    private final Random random;
    private final Map<CellKey, Cell> model = new HashMap<>();
    private final Map<CellKey, Stamp> deleted = new HashMap<>();
    private final String seedName;

    RandomOperations(Store store, TestRows rows, long seed) {
        this.store = store;
        this.rows = rows;
        this.random = new Random(seed);
        this.seedName = "seed " + seed;
    }

    void run(int steps) {
        for (int step = 0; step < steps; step++) {
            String where = seedName + ", step " + step;
            switch (random.nextInt(6)) {
                case 0, 1 -> write();
                case 2 -> compareAndSet(where);
                case 3 -> read(where);
                case 4 -> scan(where);
                default -> maybeDeleteRange();
            }
        }
        compareAll();
    }

    /** Continues with the same store after it was reopened. */
    void continueOn(Store reopened) {
        store = reopened;
    }

    private void write() {
        Map<CellKey, CellWrite> writes = new HashMap<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
            CellKey key = randomKey(Table.TASKS);
            Stamp stamp = new Stamp(1 + random.nextInt(3), random.nextInt(4));
            if (random.nextInt(3) != 0) {
                add(writes, new CellWrite.Put(key, stamp, randomValue()));
            } else if (key.column() != 0) {
                add(writes, new CellWrite.Delete(key, stamp));
            } else {
                for (int column = 0; column < COLUMNS; column++) {
                    add(writes, new CellWrite.Delete(new CellKey(key.table(), key.row(), column), stamp));
                }
            }
        }
        store.write(List.copyOf(writes.values())).join();
        writes.values().forEach(this::apply);
    }

    /**
     * Adds a change, unless the cell is changed already in this write, or a previous delete has the same stamp or a
     * newer one.
     */
    private void add(Map<CellKey, CellWrite> writes, CellWrite write) {
        if (write.stamp().compareTo(deleted.getOrDefault(write.key(), Stamp.NONE)) > 0) {
            writes.putIfAbsent(write.key(), write);
        }
    }

    private void apply(CellWrite write) {
        Cell held = model.get(write.key());
        if (held != null && held.stamp().compareTo(write.stamp()) > 0) {
            return;
        }
        switch (write) {
            case CellWrite.Put put -> model.put(put.key(), new Cell(put.key(), put.stamp(), put.value()));
            case CellWrite.Delete delete -> {
                model.remove(delete.key());
                deleted.put(delete.key(), delete.stamp());
            }
        }
    }

    private void compareAndSet(String where) {
        CellKey key = randomKey(Table.META);
        Bytes value = randomValue();
        Optional<Bytes> held = Optional.ofNullable(model.get(key)).map(Cell::value);
        Optional<Bytes> expected = random.nextBoolean() ? held : Optional.of(randomValue());
        boolean done = (random.nextInt(4) == 0 && expected.isEmpty())
                ? store.putIfAbsent(key, value).join()
                : store.compareAndSet(key, expected, value).join();
        assertThat(done).as(where).isEqualTo(expected.equals(held));
        if (done) {
            model.put(key, new Cell(key, Stamp.NONE, value));
        }
    }

    private void read(String where) {
        List<CellKey> keys = new ArrayList<>();
        for (int i = random.nextInt(10); i >= 0; i--) {
            keys.add(randomKey(random.nextBoolean() ? Table.TASKS : Table.META));
        }
        assertThat(store.read(keys).join())
                .as(where)
                .isEqualTo(keys.stream()
                        .map(key -> Optional.ofNullable(model.get(key)))
                        .toList());
    }

    private void scan(String where) {
        RowRange range = new RowRange(Table.TASKS, randomRow(), randomRow());
        int limit = 1 + random.nextInt(12);
        List<Cell> inRange = expected(range);
        List<Bytes> wanted = inRange.stream()
                .map(cell -> cell.key().row())
                .distinct()
                .limit(limit)
                .toList();
        Set<Bytes> wantedRows = new HashSet<>(wanted);
        List<Cell> cut = inRange.stream()
                .filter(cell -> wantedRows.contains(cell.key().row()))
                .toList();
        ScanResult found =
                store.scan(range, new ScanLimit(limit, Long.MAX_VALUE)).join();
        assertThat(found).as(where).isEqualTo(new ScanResult(cut, cut.size() == inRange.size()));
    }

    private void maybeDeleteRange() {
        if (random.nextInt(5) != 0) {
            return;
        }
        RowRange range = new RowRange(Table.TASKS, randomRow(), randomRow());
        store.deleteRange(range).join();
        Set<CellKey> removedKeys = new HashSet<>();
        expected(range).forEach(cell -> removedKeys.add(cell.key()));
        // The rows of a deleted range are never written again, so the test must not restore them with an older stamp
        // either.
        for (CellKey key : removedKeys) {
            for (int column = 0; column < COLUMNS; column++) {
                deleted.put(new CellKey(key.table(), key.row(), column), new Stamp(Stamp.MAX_EPOCH, Stamp.MAX_ROUND));
            }
        }
        model.keySet().removeAll(removedKeys);
        await().pollDelay(Duration.ZERO)
                .untilAsserted(() -> assertThat(
                                store.scan(range, new ScanLimit(1, 1)).join().cells())
                        .as(seedName)
                        .isEmpty());
    }

    private void compareAll() {
        for (Table table : Table.values()) {
            ScanResult all = store.scan(rows.all(table), new ScanLimit(Integer.MAX_VALUE, Long.MAX_VALUE))
                    .join();
            assertThat(all).as(seedName).isEqualTo(new ScanResult(expected(rows.all(table)), true));
        }
    }

    private List<Cell> expected(RowRange range) {
        return model.values().stream()
                .filter(cell -> cell.key().table() == range.table())
                .filter(cell -> cell.key().row().compareTo(range.from()) >= 0)
                .filter(cell -> cell.key().row().compareTo(range.to()) < 0)
                .sorted(BY_KEY)
                .toList();
    }

    private CellKey randomKey(Table table) {
        return new CellKey(table, randomRow(), random.nextInt(COLUMNS));
    }

    /** Returns a row of few, difficult bytes, so that prefixes and repetitions are common. */
    private Bytes randomRow() {
        byte[] alphabet = {0, 1, (byte) 0xfe, (byte) 0xff};
        byte[] bytes = new byte[random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return rows.row(bytes);
    }

    private Bytes randomValue() {
        byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(40)];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }
}
