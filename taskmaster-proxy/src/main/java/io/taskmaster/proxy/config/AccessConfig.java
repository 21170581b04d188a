package io.taskmaster.proxy.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The access control of both ports. Immutable.
 *
 * @param file the permissions of principals; empty: every caller may do everything
 */
public record AccessConfig(Optional<Path> file) {

    /** Returns the validated values. */
    public static AccessConfig of(SettingValues values) {
        return new AccessConfig(values.file(PortSetting.ACCESS_FILE));
    }
}
