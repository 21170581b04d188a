package io.taskmaster.server.config;

import java.nio.file.Path;

/**
 * The settings of the data in the embedded store. Immutable.
 *
 * @param folder the folder of the data
 * @param reserveBytes the free space that its disk is to keep
 */
public record RocksDbConfig(Path folder, long reserveBytes) {

    public RocksDbConfig {
        Setting.DISK_RESERVE.checkWithin(reserveBytes, 0L, Long.MAX_VALUE);
    }

    static RocksDbConfig of(SettingValues values) {
        return new RocksDbConfig(
                values.file(Setting.DATA)
                        .orElseThrow(() -> ConfigException.of(Setting.DATA.key(), "empty", "a folder")),
                values.bytes(Setting.DISK_RESERVE));
    }
}
