package io.taskmaster.server.store.hbase.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The address of an HBase, and the limits on its use. Immutable.
 *
 * @param zookeeper {@code host:port}, several separated by commas; empty: as {@code site} says
 * @param site an {@code hbase-site.xml} with any setting of HBase's client, Kerberos included
 * @param tablePrefix the prefix of the names of the tables; with a namespace: {@code namespace:prefix}
 * @param partitions the number of partitions; missing tables are created and split at partitions
 * @param regions the number of regions of a new table
 * @param durabilityLevel the point at which a change counts as written
 * @param limits the limits on what is in flight
 */
public record HBaseSettings(
        Optional<String> zookeeper,
        Optional<Path> site,
        String tablePrefix,
        int partitions,
        int regions,
        DurabilityLevel durabilityLevel,
        StoreLimits limits)
        implements TableSettings {

    public HBaseSettings {
        if (regions < 1 || regions > partitions) {
            throw new IllegalArgumentException("regions: " + regions + " (expected: 1 to " + partitions + ")");
        }
    }
}
