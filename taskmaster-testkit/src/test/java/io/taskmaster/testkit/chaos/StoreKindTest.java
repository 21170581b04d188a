package io.taskmaster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.testkit.fault.FaultKind;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

final class StoreKindTest {

    @Test
    void onlyAStoreWithProcessesOfItsOwnHasFaultsAndOnlyOneInTheServersHasItsDisk() {
        assertThat(StoreKind.ROCKSDB.faults()).noneMatch(kind -> kind.part() == FaultKind.Part.STORE);
        assertThat(StoreKind.HBASE.faults()).noneMatch(kind -> kind.part() == FaultKind.Part.MACHINE);
        EnumSet<FaultKind> all = EnumSet.copyOf(StoreKind.HBASE.faults());
        all.addAll(StoreKind.ROCKSDB.faults());
        assertThat(all).containsExactlyInAnyOrder(FaultKind.values());
        all.removeAll(StoreKind.ROCKSDB.faults());
        assertThat(all).allMatch(kind -> kind.part() == FaultKind.Part.STORE).hasSize(4);
    }

    @Test
    void storesHaveWordsThatArePartOfTheCommandLine() {
        assertThat(StoreKind.values()).allMatch(kind -> StoreKind.of(kind.word()) == kind);
    }
}
