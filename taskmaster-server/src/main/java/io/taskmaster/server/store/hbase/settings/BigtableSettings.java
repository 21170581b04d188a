package io.taskmaster.server.store.hbase.settings;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address of a Cloud Bigtable, and the limits on its use. Immutable.
 *
 * @param appProfile an app profile with single-cluster routing and single-row transactions; empty: the default one of
 *     the instance
 * @param emulator {@code host:port} of an emulator to be used instead of the service
 * @param tablePrefix the prefix of the names of the tables
 * @param partitions the number of partitions; missing tables are created and split at partitions
 * @param regions the number of tablets of a new table
 * @param limits the limits on what is in flight
 */
public record BigtableSettings(
        String project,
        String instance,
        Optional<String> appProfile,
        Optional<String> emulator,
        String tablePrefix,
        int partitions,
        int regions,
        StoreLimits limits)
        implements TableSettings {

    /**
     * The form of a table prefix. The name of a table has at most 50 characters, and no namespace: Bigtable has none.
     */
    public static final Pattern TABLE_PREFIX = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,42}");

    public BigtableSettings {
        if (!TABLE_PREFIX.matcher(tablePrefix).matches()) {
            throw new IllegalArgumentException("table prefix: " + tablePrefix + " (expected: " + TABLE_PREFIX + ")");
        }
        if (regions < 1 || regions > partitions) {
            throw new IllegalArgumentException("regions: " + regions + " (expected: 1 to " + partitions + ")");
        }
    }
}
