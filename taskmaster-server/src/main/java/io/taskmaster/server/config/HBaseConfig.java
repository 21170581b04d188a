package io.taskmaster.server.config;

import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.SettingValues;
import io.taskmaster.server.store.hbase.settings.DurabilityLevel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings of the data in HBase. Immutable.
 *
 * @param zookeeper the ZooKeeper of HBase; empty: as {@code site} says
 * @param site an {@code hbase-site.xml}
 * @param tablePrefix the prefix of the names of TaskMaster's tables
 * @param regions the number of regions of a new table
 * @param durabilityLevel the point at which a change counts as written
 */
public record HBaseConfig(
        Optional<String> zookeeper,
        Optional<Path> site,
        String tablePrefix,
        int regions,
        DurabilityLevel durabilityLevel) {

    private static final Pattern TABLE_PREFIX = Pattern.compile("([A-Za-z0-9_.-]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*");

    public HBaseConfig {
        if (!TABLE_PREFIX.matcher(tablePrefix).matches()) {
            throw ConfigException.of(
                    NodeSetting.HBASE_TABLE_PREFIX.key(),
                    tablePrefix,
                    "letters, digits, _, - and ., optionally after a namespace and a colon");
        }
        NodeSetting.HBASE_REGIONS.checkWithin(regions, 1, StoreConfig.MAX_PARTITIONS);
    }

    static HBaseConfig of(SettingValues values) {
        return new HBaseConfig(
                values.given(NodeSetting.HBASE_ZOOKEEPER),
                values.file(NodeSetting.HBASE_SITE),
                values.text(NodeSetting.HBASE_TABLE_PREFIX),
                values.integer(NodeSetting.HBASE_REGIONS),
                values.oneOf(NodeSetting.HBASE_DURABILITY, DurabilityLevel.class));
    }
}
