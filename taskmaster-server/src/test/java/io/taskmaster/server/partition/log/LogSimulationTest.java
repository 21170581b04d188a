package io.taskmaster.server.partition.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRow;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Table;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Tests of log, takeover and checkpoints under several owners, and of the simulation: it notices when a rule is
 * disabled.
 */
final class LogSimulationTest {

    private static final int SEEDS = 2_000;

    @Test
    void whatAnOwnerCommittedIsWhatEveryLaterOwnerKnows() {
        int commits = 0;
        int closes = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            LogSimulation simulation = new LogSimulation(seed, new FakeStore());
            try {
                simulation.run();
            } catch (LogSimulation.Violation violation) {
                fail("seed " + seed, violation);
            }
            commits += simulation.commits;
            closes += simulation.closes;
        }
        assertThat(closes).as("clean closes of all runs").isGreaterThan(SEEDS / 20);
        assertThat(commits).as("commits of all runs").isGreaterThan(10 * SEEDS);
    }

    @Test
    void withoutFencesInAllButTheLastEpochItIsNoticed() {
        assertNoticed(() -> new FakeStore() {
            @Override
            boolean setIfAbsent(CellKey key, Bytes value) {
                LogKey log = LogKey.of(key.row());
                boolean fence = LogRowCodec.decode(log, value) instanceof LogRow.Fence;
                return (fence && log.epoch() + 1 < owningEpoch(this)) || super.setIfAbsent(key, value);
            }
        });
    }

    @Test
    void whenTrimmingTakesTheFencesAlongItIsNoticed() {
        assertNoticed(() -> new FakeStore() {
            @Override
            void delete(RowRange range) {
                log.headMap(range.to()).clear();
            }
        });
    }

    @Test
    void whenTheCheckpointIsNoCompareAndSetItIsNoticed() {
        assertNoticed(() -> new FakeStore() {
            @Override
            boolean setIfEqual(CellKey key, Optional<Bytes> expected, Bytes value) {
                meta.put(key.row(), value);
                return true;
            }
        });
    }

    @Test
    void whenAppendsReplaceWhatIsThereItIsNoticed() {
        assertNoticed(() -> new FakeStore() {
            @Override
            boolean setIfAbsent(CellKey key, Bytes value) {
                log.put(key.row(), value);
                return true;
            }
        });
    }

    private static long owningEpoch(FakeStore store) {
        CellKey key = PartitionRecordCodec.key(7);
        assertThat(key.table()).isEqualTo(Table.META);
        Bytes record = store.meta.get(key.row());
        return record == null ? 0 : PartitionRecordCodec.decode(7, record).epoch();
    }

    private static void assertNoticed(Supplier<FakeStore> broken) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                new LogSimulation(seed, broken.get()).run();
            } catch (LogSimulation.Violation noticed) {
                return;
            }
        }
        fail("no violation in " + SEEDS + " seeds");
    }
}
