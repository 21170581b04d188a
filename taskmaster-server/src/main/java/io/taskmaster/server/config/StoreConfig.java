package io.taskmaster.server.config;

import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.Setting;
import io.taskmaster.proxy.config.SettingValues;
import io.taskmaster.server.store.hbase.settings.BigtableSettings;

/**
 * The data of a node: the kind of store, and its settings for each kind. Immutable.
 *
 * @param partitions the number of partitions of a new store; fixed for the life of the data
 * @param rocksDb the settings of the data in the embedded store
 * @param hbase the settings of the data in HBase
 * @param bigtable the settings of the data in Cloud Bigtable
 * @param owner the claim of this node on a shared store
 */
public record StoreConfig(
        StoreKind kind,
        int partitions,
        RocksDbConfig rocksDb,
        HBaseConfig hbase,
        BigtableConfig bigtable,
        OwnerConfig owner) {

    static final int MAX_PARTITIONS = 1 << 16;

    public StoreConfig {
        NodeSetting.PARTITIONS.checkWithin(partitions, 1, MAX_PARTITIONS);
        if (kind == StoreKind.BIGTABLE) {
            requireSet(NodeSetting.BIGTABLE_PROJECT, bigtable.project());
            requireSet(NodeSetting.BIGTABLE_INSTANCE, bigtable.instance());
            if (!BigtableSettings.TABLE_PREFIX.matcher(hbase.tablePrefix()).matches()) {
                throw ConfigException.of(
                        NodeSetting.HBASE_TABLE_PREFIX.key(),
                        hbase.tablePrefix(),
                        "at most 43 letters, digits, _, - and .; Bigtable has no namespaces");
            }
        }
    }

    static StoreConfig of(SettingValues values) {
        StoreKind kind = values.oneOf(NodeSetting.STORE, StoreKind.class);
        return new StoreConfig(
                kind,
                values.integer(NodeSetting.PARTITIONS),
                RocksDbConfig.of(values),
                HBaseConfig.of(values),
                BigtableConfig.of(values),
                OwnerConfig.of(values, kind));
    }

    private static void requireSet(Setting setting, String value) {
        if (value.isEmpty()) {
            throw ConfigException.of(setting.key(), "empty", "a name if store=bigtable");
        }
    }
}
