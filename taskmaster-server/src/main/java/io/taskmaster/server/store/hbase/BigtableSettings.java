package io.taskmaster.server.store.hbase;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which Cloud Bigtable it is and how much it may be asked for. Immutable.
 *
 * @param appProfile with single-cluster routing and single-row transactions; empty: the default one of the instance
 * @param emulator {@code host:port} of one that is asked instead of the service
 * @param tablePrefix before the names of the tables
 * @param partitions how many partitions there are, between which tables are cut that are missing and made
 * @param regions and into how many tablets, to begin with
 * @param limits of what is on its way
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

    /** The name of a table has at most 50 characters, and no namespace: there are none. */
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
