package io.taskmaster.server.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MaintenanceTest {

    @ParameterizedTest
    @CsvSource({
        // entries, deletions among them, bytes, bytes that remain
        "0, 0, 0, 0",
        "1000, 0, 20000, 20000",
        "1250, 250, 20000, 15000",
        "1500, 500, 20000, 10000",
        "2000, 1000, 20000, 0",
        "100, 90, 500, 0",
    })
    void aCompactionWritesWhatIsNotDeleted(long entries, long deletions, long bytes, long stays) {
        assertThat(Maintenance.remainingBytes(entries, deletions, bytes)).isEqualTo(stays);
    }
}
