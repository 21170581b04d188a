package io.taskmaster.server.store.hbase;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where HBase is and how much it may be asked for. Immutable.
 *
 * @param zookeeper {@code host:port}, more of them with commas; empty: as {@code site} says
 * @param site an {@code hbase-site.xml} with anything that HBase's client knows, Kerberos among it
 * @param tablePrefix before the names of the tables; with a namespace: {@code namespace:prefix}
 * @param partitions how many partitions there are, between which tables are cut that are missing and made
 * @param regions and into how many regions
 * @param durable when something counts as written
 * @param limits of what is on its way
 */
public record HBaseSettings(
        Optional<String> zookeeper,
        Optional<Path> site,
        String tablePrefix,
        int partitions,
        int regions,
        Durable durable,
        StoreLimits limits)
        implements TableSettings {

    public HBaseSettings {
        if (regions < 1 || regions > partitions) {
            throw new IllegalArgumentException("regions: " + regions + " (expected: 1 to " + partitions + ")");
        }
    }
}
