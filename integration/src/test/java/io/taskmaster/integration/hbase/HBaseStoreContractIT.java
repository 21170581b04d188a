package io.taskmaster.integration.hbase;

import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreContract;
import io.taskmaster.server.store.hbase.Durable;
import io.taskmaster.server.store.hbase.HBaseSettings;
import io.taskmaster.server.store.hbase.HBaseStore;
import io.taskmaster.server.store.hbase.StoreLimits;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of stores, kept by a real HBase on real HDFS. */
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
                Durable.FSYNC,
                StoreLimits.HBASE));
    }
}
