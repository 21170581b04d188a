package io.taskmaster.server.config;

/** Where the data of a node is. */
public enum StoreKind {
    /** Embedded, on this machine's disk; one node. */
    ROCKSDB(false),
    /** Nowhere but in memory: gone when the process ends; one node. */
    MEMORY(false),
    /** In HBase's tables; one node at a time. */
    HBASE(true),
    /** In tables of Cloud Bigtable; one node at a time. */
    BIGTABLE(true);

    private final boolean shared;

    StoreKind(boolean shared) {
        this.shared = shared;
    }

    /** Whether nodes in other processes can reach the data, so that they have to say in them whose they are. */
    public boolean isShared() {
        return shared;
    }
}
