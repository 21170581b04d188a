package io.taskmaster.server.config;

import io.taskmaster.proxy.config.SettingValues;
import java.util.Optional;

/**
 * The settings of the data in Cloud Bigtable. The names of the tables are those of {@link HBaseConfig}. Immutable.
 *
 * @param project the project; empty: not set
 * @param instance the instance; empty: not set
 * @param appProfile the app profile; empty: the default one of the instance
 * @param emulator {@code host:port} of an emulator to be used instead of the service
 */
public record BigtableConfig(String project, String instance, Optional<String> appProfile, Optional<String> emulator) {

    static BigtableConfig of(SettingValues values) {
        return new BigtableConfig(
                values.text(NodeSetting.BIGTABLE_PROJECT),
                values.text(NodeSetting.BIGTABLE_INSTANCE),
                values.given(NodeSetting.BIGTABLE_APP_PROFILE),
                values.given(NodeSetting.BIGTABLE_EMULATOR)
                        .map(_ -> values.address(NodeSetting.BIGTABLE_EMULATOR).toString()));
    }
}
