package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreContract;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.HBaseStore;
import io.taskmaster.server.store.hbase.settings.DurabilityLevel;
import io.taskmaster.server.store.hbase.settings.HBaseSettings;
import io.taskmaster.server.store.hbase.settings.StoreLimits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of the store contract on a real HBase and a real HDFS. */
@ExtendWith(SharedHBase.class)
final class HBaseStoreContractIT extends StoreContract {

    private static final int PARTITIONS = 256;

    @Override
    protected Store open() {
        return HBaseStore.open(new HBaseSettings(
                Optional.of(SharedHBase.zookeeper()),
                Optional.empty(),
                "contract.",
                PARTITIONS,
                4,
                DurabilityLevel.FSYNC,
                StoreLimits.HBASE.withTimeouts(TIMEOUT, TIMEOUT)));
    }

    /**
     * Reads as callers do that each dequeue the largest number of tasks of an update, none of them in memory: two
     * places and up to six cells per task.
     */
    @Test
    void largeLookupsOfManyCallersAreAnswered() {
        List<CellKey> cells = IntStream.range(0, 10_000)
                .mapToObj(HBaseStoreContractIT::cells)
                .flatMap(List::stream)
                .toList();
        try (Store store = open()) {
            var lookups = Stream.generate(() -> store.read(cells)).limit(4).toList();

            assertThat(lookups)
                    .allSatisfy(lookup -> assertThat(lookup)
                            .succeedsWithin(Duration.ofMinutes(2))
                            .satisfies(found -> assertThat(found).hasSameSizeAs(cells)));
        }
    }

    private static List<CellKey> cells(int task) {
        Bytes row = Bytes.wrap(
                ByteBuffer.allocate(6).putShort((short) 1).putInt(task).array());
        return Stream.of(Table.TASKS, Table.DELAYED)
                .flatMap(table -> IntStream.range(0, 3).mapToObj(column -> new CellKey(table, row, column)))
                .toList();
    }
}
