package io.taskmaster.server.store.hbase.settings;

/** The point at which HBase reports a change as written. */
public enum DurabilityLevel {
    /**
     * Synced to the disks of the data nodes, whatever {@code hbase.wal.hsync} is set to. Survives a power loss of all
     * of them.
     */
    FSYNC,
    /**
     * As {@code hbase.wal.hsync} is set. By HBase's default, in the memory of the data nodes, which survives the death
     * of some of them.
     */
    SYNC
}
