package io.taskmaster.server.store.hbase.settings;

import org.apache.hadoop.hbase.client.Durability;

/** The point at which HBase reports a change as written. */
public enum DurabilityLevel {
    /**
     * Synced to the disks of the data nodes, whatever {@code hbase.wal.hsync} is set to. Survives a power loss of all
     * of them.
     */
    FSYNC(Durability.FSYNC_WAL),
    /**
     * As {@code hbase.wal.hsync} is set. By HBase's default, in the memory of the data nodes, which survives the death
     * of some of them.
     */
    SYNC(Durability.SYNC_WAL);

    private final Durability wal;

    DurabilityLevel(Durability wal) {
        this.wal = wal;
    }

    public Durability wal() {
        return wal;
    }
}
