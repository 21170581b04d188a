package io.taskmaster.server.config;

import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.SettingValues;
import java.nio.file.Path;

/**
 * The settings of the data in the embedded store. Immutable.
 *
 * @param folder the folder of the data
 * @param reserveBytes the free space that its disk is to keep
 */
public record RocksDbConfig(Path folder, long reserveBytes) {

    public RocksDbConfig {
        NodeSetting.DISK_RESERVE.checkWithin(reserveBytes, 0L, Long.MAX_VALUE);
    }

    static RocksDbConfig of(SettingValues values) {
        return new RocksDbConfig(
                values.file(NodeSetting.DATA)
                        .orElseThrow(() -> ConfigException.of(NodeSetting.DATA.key(), "empty", "a folder")),
                values.bytes(NodeSetting.DISK_RESERVE));
    }
}
