package io.taskmaster.server.config;

/** Where the data of a node is. */
public enum StoreKind {
    /** Embedded, on this machine's disk; one node. */
    ROCKSDB,
    /** Nowhere but in memory: gone when the process ends; one node. */
    MEMORY,
    /** In HBase's tables; one node at a time. */
    HBASE
}
