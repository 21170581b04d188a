package io.taskmaster.proxy.config;

import java.util.OptionalInt;

/**
 * The limits on open connections of each port. Immutable.
 *
 * @param max the maximum number of connections; empty: as many as the limits of the process allow
 * @param maxPerAddress the maximum number of those from one address
 */
public record ConnectionLimits(OptionalInt max, int maxPerAddress) {

    static final int MAX = 1_000_000;

    public ConnectionLimits {
        max.ifPresent(configured -> PortSetting.CONNECTIONS_MAX.checkWithin(configured, 1, MAX));
        PortSetting.CONNECTIONS_MAX_PER_ADDRESS.checkWithin(maxPerAddress, 1, MAX);
    }

    /** Returns the validated values. */
    public static ConnectionLimits of(SettingValues values) {
        return new ConnectionLimits(
                values.isAuto(PortSetting.CONNECTIONS_MAX)
                        ? OptionalInt.empty()
                        : OptionalInt.of(values.integer(PortSetting.CONNECTIONS_MAX)),
                values.integer(PortSetting.CONNECTIONS_MAX_PER_ADDRESS));
    }
}
