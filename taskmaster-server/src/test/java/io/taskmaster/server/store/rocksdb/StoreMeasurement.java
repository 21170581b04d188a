package io.taskmaster.server.store.rocksdb;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.rocksdb.encoding.KeyCodec;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A benchmark of the store against RocksDB itself: the same rows in synced batches of the same size, one cell after
 * another into a {@code WriteBatch}, on one thread. A program, not a test; its figures are ratios within one run.
 * Arguments: a folder on the disk to be measured, seconds per case, rounds.
 */
final class StoreMeasurement {

    private static final long TRIM_BYTES = 32 << 20;

    private final Path folder;
    private final long caseNanos;
    private final byte[] noise = new byte[2 << 20];
    private final List<String> results = new ArrayList<>();

    /** The result of a round: rows and bytes per second of wall-clock time, and microseconds of CPU time per row. */
    private record Rate(double rows, double bytes, double cpuMicrosPerRow) {}

    /** A workload that writes rows until the deadline and returns their number. */
    private interface Load {
        long run(long deadline) throws Exception;
    }

    private StoreMeasurement(Path folder, long seconds) {
        this.folder = folder;
        caseNanos = seconds * 1_000_000_000L;
        new Random(1).nextBytes(noise);
    }

    public static void main(String[] args) throws Exception {
        StoreMeasurement measurement = new StoreMeasurement(Path.of(args[0]), Long.parseLong(args[1]));
        for (int round = 0; round < Integer.parseInt(args[2]); round++) {
            measurement.log("log rows of 1 MB", 1 << 20, 1, 4);
            measurement.log("log rows of 50 KB", 50 << 10, 4, 8);
            measurement.log("log rows of 1 KB", 1 << 10, 100, 200);
            measurement.bulk("bulk cells of 1 KB", 1 << 10, 500);
            measurement.bulk("bulk cells of 100 B", 100, 4000);
        }
        measurement.results.stream().sorted().forEach(System.out::println);
    }

    /** Measures log rows that are put one by one through the store, with twice as many in flight as a raw batch has. */
    private void log(String name, int rowBytes, int rawBatch, int inFlight) throws Exception {
        Rate raw = rawRate(Table.LOG, rowBytes, rawBatch);
        Rate store = storeRate(rowBytes, (opened, deadline) -> {
            Semaphore permits = new Semaphore(inFlight);
            long rows = 0;
            long trimmed = 0;
            for (; System.nanoTime() < deadline; rows++) {
                permits.acquire();
                var _ = opened.putIfAbsent(cell(Table.LOG, rows), value(rows, rowBytes))
                        .whenComplete((first, failure) -> permits.release());
                if ((rows - trimmed) * rowBytes > TRIM_BYTES) {
                    RowRange old = new RowRange(Table.LOG, row(trimmed), row(rows - inFlight));
                    var _ = opened.deleteRange(old);
                    trimmed = rows - inFlight;
                }
            }
            permits.acquire(inFlight);
            return rows;
        });
        report(name, raw, store);
    }

    private void bulk(String name, int cellBytes, int cells) throws Exception {
        Rate raw = rawRate(Table.TASKS, cellBytes, cells);
        Rate store = storeRate(cellBytes, (opened, deadline) -> {
            int inFlight = 3;
            Semaphore permits = new Semaphore(inFlight);
            long rows = 0;
            for (long round = 1; System.nanoTime() < deadline; round++) {
                List<CellWrite> writes = new ArrayList<>(cells);
                Stamp stamp = new Stamp(1, round);
                for (int i = 0; i < cells; i++, rows++) {
                    writes.add(new CellWrite.Put(cell(Table.TASKS, rows), stamp, value(rows, cellBytes)));
                }
                permits.acquire();
                var _ = opened.write(writes).whenComplete((done, failure) -> permits.release());
            }
            permits.acquire(inFlight);
            return rows;
        });
        report(name, raw, store);
    }

    private interface StoreLoad {
        long run(RocksDbStore store, long deadline) throws Exception;
    }

    private Rate storeRate(int rowBytes, StoreLoad load) throws Exception {
        Path own = folder.resolve("store");
        try (RocksDbStore store = RocksDbStore.open(own, RocksDbSettings.DEFAULTS)) {
            return timed(rowBytes, deadline -> load.run(store, deadline));
        } finally {
            deleteAll(own);
        }
    }

    private Rate rawRate(Table table, int rowBytes, int batchRows) throws Exception {
        Path own = Files.createDirectories(folder.resolve("raw"));
        NativeLibrary.load(own.resolve("native"));
        try (Database database = Database.open(own.resolve("db"), RocksDbSettings.DEFAULTS);
                WriteOptions synced = new WriteOptions().setSync(true)) {
            return timed(rowBytes, deadline -> writeRaw(database, table, rowBytes, batchRows, synced, deadline));
        } finally {
            deleteAll(own);
        }
    }

    private long writeRaw(
            Database database, Table table, int rowBytes, int batchRows, WriteOptions synced, long deadline)
            throws RocksDBException {
        long rows = 0;
        long trimmed = 0;
        while (System.nanoTime() < deadline) {
            try (WriteBatch batch = new WriteBatch()) {
                for (int i = 0; i < batchRows; i++, rows++) {
                    byte[] key = KeyCodec.key(cell(table, rows));
                    batch.put(
                            database.family(table).handle(),
                            key,
                            value(rows, rowBytes).unsafeArray());
                }
                if (table == Table.LOG && (rows - trimmed) * rowBytes > TRIM_BYTES) {
                    batch.deleteRange(
                            database.family(table).handle(),
                            KeyCodec.bound(row(trimmed)),
                            KeyCodec.bound(row(rows - 8)));
                    trimmed = rows - 8;
                }
                database.db().write(synced, batch);
            }
        }
        return rows;
    }

    private Rate timed(int rowBytes, Load load) throws Exception {
        long cpuBefore = cpuNanos();
        long start = System.nanoTime();
        long rows = load.run(start + caseNanos);
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuMicros = (cpuNanos() - cpuBefore) / 1e3;
        return new Rate(rows / seconds, rows * (double) rowBytes / seconds, cpuMicros / rows);
    }

    private static long cpuNanos() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }

    private void report(String name, Rate raw, Rate store) {
        results.add(
                "%-20s raw %9.0f rows/s %6.1f MB/s %7.1f us CPU/row | store %9.0f rows/s %6.1f MB/s %7.1f us | ratio %.2f, CPU %.2f"
                        .formatted(
                                name,
                                raw.rows(),
                                raw.bytes() / 1e6,
                                raw.cpuMicrosPerRow(),
                                store.rows(),
                                store.bytes() / 1e6,
                                store.cpuMicrosPerRow(),
                                store.rows() / raw.rows(),
                                store.cpuMicrosPerRow() / raw.cpuMicrosPerRow()));
    }

    private static CellKey cell(Table table, long number) {
        return new CellKey(table, row(number), 0);
    }

    private static Bytes row(long number) {
        return Bytes.wrap(ByteBuffer.allocate(2 + 8 + 8)
                .putShort((short) 3)
                .putLong(0x6162636465666768L)
                .putLong(number)
                .array());
    }

    private Bytes value(long number, int size) {
        byte[] value = new byte[size];
        System.arraycopy(noise, (int) (number * 7919 % (noise.length - size)), value, 0, size);
        return Bytes.wrap(value);
    }

    private static void deleteAll(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
