package io.taskmaster.bench.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.hbase.client.Durability;
import org.junit.jupiter.api.Test;

class HBaseTermsTest {

    @Test
    void serversAndRawPutsAskForTheSame() {
        HBaseTerms synced = new HBaseTerms(true, 16, "bench-");
        assertThat(synced.durable()).isEqualTo("fsync");
        assertThat(synced.durability()).isEqualTo(Durability.FSYNC_WAL);
        HBaseTerms unsynced = new HBaseTerms(false, 16, "bench-");
        assertThat(unsynced.durable()).isEqualTo("sync");
        assertThat(unsynced.durability()).isEqualTo(Durability.SYNC_WAL);
    }

    @Test
    void moreRegionsThanPartitionsAreRefused() {
        assertThatThrownBy(() -> new HBaseTerms(true, 257, "bench-"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("regions: 257");
    }
}
