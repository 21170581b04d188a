package io.taskmaster.server.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@link DurabilityMarker}: losses that RocksDB takes for traces of a crash are detected. */
final class DurabilityMarkerTest {

    @TempDir
    Path folder;

    @BeforeEach
    void fill() {
        try (RocksDbStore store = open()) {
            for (int i = 0; i < 50; i++) {
                assertThat(store.putIfAbsent(log(i), Bytes.of("row " + i)).join())
                        .isTrue();
            }
        }
    }

    @Test
    void aLogThatWasCutBehindASyncedRecordIsRefusedAgainAndAgain() throws IOException {
        Path wal = largest(".log");
        cut(wal, wal.toFile().length() - 3);
        for (int i = 0; i < 2; i++) {
            assertRefused(this::open, "write-ahead log");
        }
    }

    @Test
    void aMissingLogIsRefused() throws IOException {
        Files.delete(largest(".log"));
        assertRefused(this::open, "no WAL files");
    }

    @Test
    void aManifestThatWasCutOrChangedIsRefusedBeforeRocksDbTouchesAnything() throws IOException {
        Path manifest;
        try (Stream<Path> files = Files.list(folder.resolve("db"))) {
            manifest = files.filter(file -> file.getFileName().toString().startsWith("MANIFEST"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
        byte[] intact = Files.readAllBytes(manifest);
        cut(manifest, intact.length - 1);
        assertRefused(this::open, manifest.getFileName().toString());

        byte[] changed = intact.clone();
        changed[intact.length - 5] ^= 1;
        Files.write(manifest, changed);
        assertRefused(this::open, manifest.getFileName().toString());

        Files.write(manifest, intact);
        assertWhole();
    }

    @Test
    void aDatabaseThatIsGoneIsNotMadeAnewQuietly() throws IOException {
        Files.delete(folder.resolve("db/CURRENT"));
        assertRefused(this::open, "CURRENT is missing");
        Files.delete(folder.resolve("witness"));
        assertRefused(this::open, "CURRENT is missing");
    }

    @Test
    void oneOfItsSlotsIsEnoughAndNoneIsDamage() throws IOException {
        flip(8);
        assertWhole();
        flip(8);
        flip(512 + 8);
        assertRefused(this::open, "witness");
    }

    @Test
    void withoutItWhatIsLeftIsOpened() throws IOException {
        Path wal = largest(".log");
        cut(wal, wal.toFile().length() - 3);
        Files.delete(folder.resolve("witness"));
        try (RocksDbStore store = open()) {
            assertThat(store.read(List.of(log(48))).join().getFirst()).isPresent();
            assertThat(store.read(List.of(log(49))).join().getFirst()).isEmpty();
        }
        assertThat(folder.resolve("witness")).exists();
    }

    private void assertWhole() {
        try (RocksDbStore store = open()) {
            assertThat(store.read(List.of(log(49))).join().getFirst()).isPresent();
        }
    }

    private void assertRefused(ThrowingCallable open, String named) {
        assertThatThrownBy(open)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refusal -> assertThat(refusal.outcome()).isEqualTo(Outcome.CORRUPT))
                .hasMessageContaining(folder.toString())
                .hasMessageContaining(named);
    }

    private RocksDbStore open() {
        return RocksDbStore.open(folder, RocksDbSettings.DEFAULTS);
    }

    private static CellKey log(int number) {
        return new CellKey(Table.LOG, Bytes.wrap(new byte[] {0, 1, (byte) number}), 0);
    }

    private Path largest(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("db"))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    private static void cut(Path file, long length) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(length);
        }
    }

    private void flip(int position) throws IOException {
        byte[] witness = Files.readAllBytes(folder.resolve("witness"));
        witness[position] ^= 1;
        Files.write(folder.resolve("witness"), witness);
    }
}
