package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.hbase.settings.BigtableSettings;
import io.taskmaster.server.store.hbase.settings.DurabilityLevel;
import io.taskmaster.server.store.hbase.settings.HBaseSettings;
import io.taskmaster.server.store.hbase.settings.StoreLimits;
import java.util.Optional;

/** Both dialects, with settings of unreachable services. */
final class Dialects {

    static final HBaseSettings HBASE_SETTINGS = new HBaseSettings(
            Optional.empty(), Optional.empty(), "test.", 256, 16, DurabilityLevel.SYNC, StoreLimits.HBASE);

    static final BigtableSettings BIGTABLE_SETTINGS = new BigtableSettings(
            "project", "instance", Optional.empty(), Optional.empty(), "test.", 256, 16, StoreLimits.BIGTABLE);

    static final Dialect HBASE = new HBaseDialect(HBASE_SETTINGS);

    static final Dialect BIGTABLE = new BigtableDialect(BIGTABLE_SETTINGS);

    private Dialects() {}

    static HBaseSettings withRegions(int regions) {
        return new HBaseSettings(
                HBASE_SETTINGS.zookeeper(),
                HBASE_SETTINGS.site(),
                HBASE_SETTINGS.tablePrefix(),
                HBASE_SETTINGS.partitions(),
                regions,
                HBASE_SETTINGS.durabilityLevel(),
                HBASE_SETTINGS.limits());
    }
}
