package io.taskmaster.server.store.hbase;

/** What the adapter must know of its tables wherever they are. Immutable. */
sealed interface TableSettings permits HBaseSettings, BigtableSettings {

    String tablePrefix();

    int partitions();

    int regions();

    StoreLimits limits();
}
