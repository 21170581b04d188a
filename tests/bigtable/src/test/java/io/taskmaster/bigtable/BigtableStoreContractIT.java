package io.taskmaster.bigtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreContract;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.HBaseStore;
import io.taskmaster.server.store.hbase.settings.BigtableSettings;
import io.taskmaster.server.store.hbase.settings.StoreLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the store contract on Cloud Bigtable, as far as its emulator implements it. All tests share its tables. */
final class BigtableStoreContractIT extends StoreContract {

    @TempDir
    private static Path folder = Path.of("");

    private static BigtableEmulator emulator;

    @BeforeAll
    static void startEmulator() throws InterruptedException {
        emulator = BigtableEmulator.start(folder.resolve("emulator.log"));
    }

    @AfterAll
    static void stopEmulator() {
        emulator.close();
    }

    @Override
    protected Store open() {
        return HBaseStore.open(new BigtableSettings(
                "project",
                "instance",
                Optional.empty(),
                Optional.of(emulator.endpoint()),
                "contract.",
                256,
                4,
                StoreLimits.BIGTABLE.withTimeouts(TIMEOUT, TIMEOUT)));
    }

    @Test
    void rowThatTheServiceCannotKeepIsRefusedAndNotThere() {
        CellKey longest = rows.cell("r".repeat(store.maxRowBytes() - Store.PARTITION_PREFIX_BYTES));
        CellKey longer = rows.cell("r".repeat(store.maxRowBytes() - Store.PARTITION_PREFIX_BYTES + 1));
        put(longest, 1, 1, "kept");

        assertRefused(store.write(List.of(new CellWrite.Put(longer, new Stamp(1, 1), Bytes.EMPTY))), "row: 4096 bytes");
        assertRefused(store.putIfAbsent(longer, Bytes.EMPTY), "row: 4096 bytes");
        assertThat(readText(longest)).contains("kept");
        assertThat(read(longer)).isEmpty();
    }

    @Test
    void valueThatTheServiceCannotCompareIsRefused() {
        CellKey key = rows.cell(Table.META, "record", 0);
        assertThat(cas(key, Optional.empty(), "x".repeat(20_000))).isTrue();

        assertRefused(
                store.compareAndSet(key, Optional.of(Bytes.of("x".repeat(20_000))), Bytes.of("y")),
                "compared value: 20000 bytes");
    }

    private static void assertRefused(CompletableFuture<?> operation, String why) {
        assertThat(operation)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED))
                .withMessageContaining(why);
    }
}
