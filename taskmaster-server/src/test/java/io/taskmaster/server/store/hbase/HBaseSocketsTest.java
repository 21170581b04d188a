package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HBaseSocketsTest {

    @ParameterizedTest
    @CsvSource({"90000,15000", "15000,15000", "5000,5000"})
    void aConnectionToZooKeeperIsGivenUpSoonWhateverSuitsRegionServers(int site, int session) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.setInt(HConstants.ZK_SESSION_TIMEOUT, site);
        HBaseSockets.applyTo(configuration);

        assertThat(configuration.getInt(HConstants.ZK_SESSION_TIMEOUT, 0)).isEqualTo(session);
    }
}
