package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.harness.fault.FaultKind;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

final class ChaosStoreKindTest {

    @Test
    void onlyAStoreWithProcessesOfItsOwnHasFaultsAndOnlyOneInTheServersHasItsDisk() {
        assertThat(ChaosStoreKind.ROCKSDB.faults()).noneMatch(kind -> kind.part() == FaultKind.Part.STORE);
        assertThat(ChaosStoreKind.HBASE.faults()).noneMatch(kind -> kind.part() == FaultKind.Part.MACHINE);
        EnumSet<FaultKind> all = EnumSet.copyOf(ChaosStoreKind.HBASE.faults());
        all.addAll(ChaosStoreKind.ROCKSDB.faults());
        assertThat(all).containsExactlyInAnyOrder(FaultKind.values());
        all.removeAll(ChaosStoreKind.ROCKSDB.faults());
        assertThat(all).allMatch(kind -> kind.part() == FaultKind.Part.STORE).hasSize(4);
    }

    @Test
    void storesHaveWordsThatArePartOfTheCommandLine() {
        assertThat(ChaosStoreKind.values()).allMatch(kind -> ChaosStoreKind.of(kind.word()) == kind);
    }
}
