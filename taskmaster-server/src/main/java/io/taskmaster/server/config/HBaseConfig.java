package io.taskmaster.server.config;

import io.taskmaster.server.store.hbase.settings.DurabilityLevel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of the data in HBase. Immutable.
 *
 * @param zookeeper the ZooKeeper of HBase; empty: as {@code site} says
 * @param site an {@code hbase-site.xml}
 * @param tablePrefix the prefix of the names of TaskMaster's tables
 * @param regions the number of regions of a new table
 * @param durabilityLevel the point at which a change counts as written
 */
public record HBaseConfig(
        Optional<String> zookeeper,
        Optional<Path> site,
        String tablePrefix,
        int regions,
        DurabilityLevel durabilityLevel) {}
