package io.taskmaster.server.config;

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
                values.text(Setting.BIGTABLE_PROJECT),
                values.text(Setting.BIGTABLE_INSTANCE),
                values.given(Setting.BIGTABLE_APP_PROFILE),
                values.given(Setting.BIGTABLE_EMULATOR)
                        .map(_ -> values.address(Setting.BIGTABLE_EMULATOR).toString()));
    }
}
