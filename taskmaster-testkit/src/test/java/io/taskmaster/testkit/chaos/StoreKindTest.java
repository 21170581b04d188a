package io.taskmaster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.testkit.fault.FaultKind;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

final class StoreKindTest {

    @Test
    void onlyAStoreWithProcessesOfItsOwnHasFaults() {
        assertThat(StoreKind.ROCKSDB.faults()).noneMatch(kind -> kind.part() == FaultKind.Part.STORE);
        assertThat(StoreKind.HBASE.faults()).containsExactlyInAnyOrder(FaultKind.values());
        EnumSet<FaultKind> both = EnumSet.copyOf(StoreKind.HBASE.faults());
        both.removeAll(StoreKind.ROCKSDB.faults());
        assertThat(both).allMatch(kind -> kind.part() == FaultKind.Part.STORE).hasSize(4);
    }

    @Test
    void storesHaveWordsThatArePartOfTheCommandLine() {
        assertThat(StoreKind.values()).allMatch(kind -> StoreKind.of(kind.word()) == kind);
    }
}
