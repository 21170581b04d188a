package io.taskmaster.server.config;

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
        max.ifPresent(given -> Setting.CONNECTIONS_MAX.checkWithin(given, 1, MAX));
        Setting.CONNECTIONS_MAX_PER_ADDRESS.checkWithin(maxPerAddress, 1, MAX);
    }

    static ConnectionLimits of(SettingValues values) {
        return new ConnectionLimits(
                values.isAuto(Setting.CONNECTIONS_MAX)
                        ? OptionalInt.empty()
                        : OptionalInt.of(values.integer(Setting.CONNECTIONS_MAX)),
                values.integer(Setting.CONNECTIONS_MAX_PER_ADDRESS));
    }
}
