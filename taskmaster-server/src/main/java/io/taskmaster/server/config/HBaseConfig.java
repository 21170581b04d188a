package io.taskmaster.server.config;

import io.taskmaster.server.store.hbase.Durable;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the data are if they are in HBase. Immutable.
 *
 * @param zookeeper of HBase; empty: as {@code site} says
 * @param site an {@code hbase-site.xml}
 * @param tablePrefix before the names of our tables
 * @param regions into how many a table is cut when it is made
 * @param durable when something counts as written
 */
public record HBaseConfig(
        Optional<String> zookeeper, Optional<Path> site, String tablePrefix, int regions, Durable durable) {}
