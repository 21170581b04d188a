package io.taskmaster.server.store.hbase.settings;

/** The settings of the tables that both dialects have in common. Immutable. */
public sealed interface TableSettings permits HBaseSettings, BigtableSettings {

    String tablePrefix();

    int partitions();

    int regions();

    StoreLimits limits();
}
