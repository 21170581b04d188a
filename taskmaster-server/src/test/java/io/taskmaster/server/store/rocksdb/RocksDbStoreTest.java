package io.taskmaster.server.store.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.UnknownLayoutException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbStoreTest {

    private static final ScanLimit ALL = new ScanLimit(Integer.MAX_VALUE, Long.MAX_VALUE);
    private static final RowRange ALL_TASKS = new RowRange(Table.TASKS, row(0), Bytes.of("\1"));

    @TempDir
    Path folder;

    @Test
    void folderIsMadeIfItIsMissing() {
        Path missing = folder.resolve("a/b");
        open(missing).close();
        assertThat(missing.resolve("layout")).content().isEqualTo("taskmaster rocksdb 1\n");
    }

    /** A store whose disk was unmounted leaves an empty mount point behind. */
    @Test
    void aFolderThatIsGoneIsNotMadeAnew() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("mount"));
        for (Path missing : List.of(empty, folder.resolve("none"))) {
            assertThatThrownBy(() -> new RocksDbFolder(missing, RocksDbSettings.DEFAULTS, 0).reopen())
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            refused -> assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED))
                    .hasMessageContaining("check that its disk is mounted");
        }
        assertThat(empty).isEmptyDirectory();

        open(empty).close();
        new RocksDbFolder(empty, RocksDbSettings.DEFAULTS, 0).reopen().close();
    }

    /**
     * A backup mounted in place of the disk is whole, and its witness agrees with it; only this process knows that it
     * is older.
     */
    @Test
    void anOlderFolderIsNotTakenForTheOneThatWasOpen() throws IOException {
        Path data = folder.resolve("data");
        RocksDbFolder own = new RocksDbFolder(data, RocksDbSettings.DEFAULTS, 0);
        try (RocksDbStore store = own.open()) {
            assertThat(put(store, 1, 1, 1)).succeedsWithin(Duration.ofSeconds(10));
        }
        Path backup = folder.resolve("backup");
        copy(data, backup);
        try (RocksDbStore store = own.reopen()) {
            assertThat(put(store, 1, 2, 2)).succeedsWithin(Duration.ofSeconds(10));
        }
        Files.move(data, folder.resolve("unmounted"));
        Files.move(backup, data);

        assertThatThrownBy(own::reopen)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        damaged -> assertThat(damaged.outcome()).isEqualTo(Outcome.CORRUPT))
                .hasMessageContaining("missing or cut short");
        open(data).close();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    @Test
    void secondStoreOnTheSameFolderIsRefusedUntilTheFirstIsClosed() {
        try (RocksDbStore first = open(folder)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> open(folder))
                        .isInstanceOf(StoreInUseException.class)
                        .hasMessageContaining(folder.toString());
            }
            assertThat(put(first, 1, 1, 1)).succeedsWithin(Duration.ofSeconds(10));
        }
        open(folder).close();
    }

    @Test
    void unknownLayoutIsRefusedAndLeftAlone() throws IOException {
        Files.writeString(folder.resolve("layout"), "taskmaster rocksdb 2\n");
        assertThatThrownBy(() -> open(folder))
                .isInstanceOf(UnknownLayoutException.class)
                .hasMessageContaining("'taskmaster rocksdb 2' (expected: 'taskmaster rocksdb 1')");
        assertThat(folder).isDirectoryNotContaining("glob:**/db");

        Files.delete(folder.resolve("layout"));
        Files.writeString(folder.resolve("holiday.jpg"), "sand");
        assertThatThrownBy(() -> open(folder))
                .isInstanceOf(UnknownLayoutException.class)
                .hasMessageContaining("holiday.jpg");
        assertThat(folder).isDirectoryContaining("glob:**/holiday.jpg").isDirectoryNotContaining("glob:**/lock");
    }

    @Test
    void creationCutShortIsGoneOnWith() throws IOException {
        Files.createFile(folder.resolve("lock"));
        Files.writeString(folder.resolve("layout.new"), "taskm");
        open(folder).close();
        open(folder).close();
    }

    @Test
    void damagedTableFileIsAnErrorAndNotAnEmptyAnswer() throws IOException {
        RocksDbSettings smallMemtables = settings(1 << 20, 128 << 20);
        try (RocksDbStore store = RocksDbStore.open(folder, smallMemtables)) {
            for (int i = 0; i < 64; i++) {
                store.write(List.of(new CellWrite.Put(cell(i), new Stamp(1, i), Bytes.wrap(new byte[1 << 20]))))
                        .join();
            }
        }
        for (Path file : filesOf("sst")) {
            overwriteMiddle(file);
        }

        assertThatThrownBy(() -> {
                    try (RocksDbStore store = RocksDbStore.open(folder, smallMemtables)) {
                        store.scan(ALL_TASKS, ALL).join();
                    }
                })
                .hasStackTraceContaining("Corruption")
                .satisfies(failure ->
                        assertThat(failure).isInstanceOfAny(StoreException.class, CompletionException.class));
    }

    @Test
    void damagedWriteAheadLogIsAnErrorAndNotAShorterHistory() throws IOException {
        try (RocksDbStore store = open(folder)) {
            for (int i = 0; i < 200; i++) {
                put(store, i, 1, 1).join();
            }
        }
        for (Path file : filesOf("log")) {
            overwriteMiddle(file);
        }

        assertThatThrownBy(() -> open(folder).close())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Corruption");
    }

    @Test
    void whatIsBeyondTheBoundIsRefusedAndTheRestLands() {
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        try (RocksDbStore store = RocksDbStore.open(folder, settings(64 << 20, 1 << 20))) {
            for (int i = 0; i < 300; i++) {
                writes.add(store.write(
                        List.of(new CellWrite.Put(cell(i), new Stamp(1, 1), Bytes.wrap(new byte[100_000])))));
            }
        }
        assertThat(writes).allMatch(CompletableFuture::isDone);
        List<StoreException> refused = writes.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .map(write -> (StoreException) write.exceptionNow())
                .toList();
        assertThat(refused).isNotEmpty().hasSizeLessThan(300).allMatch(refusal -> refusal.outcome() == Outcome.REFUSED);
        try (RocksDbStore store = open(folder)) {
            assertThat(store.scan(ALL_TASKS, ALL).join().cells()).hasSize(300 - refused.size());
        }
    }

    @Test
    void scanStatisticsCountRowsAndTombstones() {
        try (RocksDbStore store = open(folder)) {
            List<CellWrite> tasks = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                tasks.add(new CellWrite.Put(cell(i), new Stamp(1, 1), Bytes.of("task")));
            }
            store.write(tasks).join();
            for (int i = 0; i < 40; i++) {
                store.write(List.of(new CellWrite.Delete(cell(i), new Stamp(1, 2))))
                        .join();
            }

            store.scan(ALL_TASKS, ALL).join();
            assertThat(store.scanStatistics()).isEqualTo(new ScanStatistics(1, 60, 60, 40, 40));

            store.scan(new RowRange(Table.TASKS, row(40), row(100)), ALL).join();
            assertThat(store.scanStatistics()).isEqualTo(new ScanStatistics(2, 120, 120, 40, 40));
        }
    }

    @Test
    void rowWithoutAPartitionIsRefusedAtOnce() {
        try (RocksDbStore store = open(folder)) {
            CellKey bad = new CellKey(Table.LOG, Bytes.of("x"), 0);
            assertThatThrownBy(() -> store.putIfAbsent(bad, Bytes.EMPTY)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.read(List.of(bad))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.write(List.of(new CellWrite.Delete(bad, Stamp.NONE))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static RocksDbStore open(Path folder) {
        return RocksDbStore.open(folder, RocksDbSettings.DEFAULTS);
    }

    private static RocksDbSettings settings(long memtableBytes, long waitingBytes) {
        RocksDbSettings base = RocksDbSettings.DEFAULTS;
        return new RocksDbSettings(
                base.cacheBytes(),
                memtableBytes,
                base.logMemtableBytes(),
                base.walBytes(),
                base.bulkBatchBytes(),
                base.logBatchBytes(),
                waitingBytes,
                base.waitingReads(),
                base.readThreads());
    }

    private static CompletableFuture<Void> put(RocksDbStore store, int number, long epoch, long round) {
        return store.write(List.of(new CellWrite.Put(cell(number), new Stamp(epoch, round), Bytes.of("value"))));
    }

    private static CellKey cell(int number) {
        return new CellKey(Table.TASKS, row(number), 0);
    }

    private static Bytes row(int number) {
        return Bytes.wrap(new byte[] {0, 7, (byte) (number >>> 8), (byte) number});
    }

    private List<Path> filesOf(String kind) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("db"))) {
            List<Path> found = files.filter(file -> file.toString().endsWith("." + kind))
                    .filter(file -> file.toFile().length() > 0)
                    .toList();
            assertThat(found).isNotEmpty();
            return found;
        }
    }

    private static void overwriteMiddle(Path path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(file.length() / 2);
            file.write("not what was written".getBytes(US_ASCII));
        }
    }
}
