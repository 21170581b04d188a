package io.taskmaster.server.config;

/** The kind of store that holds the data of a node. */
public enum StoreKind {
    /** Embedded, on this machine's disk; one node. */
    ROCKSDB(false),
    /** In memory only, lost when the process ends; one node. */
    MEMORY(false),
    /** In HBase's tables; one node at a time. */
    HBASE(true),
    /** In tables of Cloud Bigtable; one node at a time. */
    BIGTABLE(true);

    private final boolean shared;

    StoreKind(boolean shared) {
        this.shared = shared;
    }

    /** Returns whether nodes in other processes can reach the data, so that the data must record their owner. */
    public boolean isShared() {
        return shared;
    }
}
