package io.taskmaster.server.store.hbase;

import org.apache.hadoop.hbase.client.Durability;

/** When HBase says that something is written. */
public enum Durable {
    /** On the disks of the data nodes, whatever {@code hbase.wal.hsync} says: it survives that all of them lose power at once. */
    FSYNC(Durability.FSYNC_WAL),
    /** As {@code hbase.wal.hsync} says; by HBase's default in the memory of the data nodes, which survives the death of some of them. */
    SYNC(Durability.SYNC_WAL);

    private final Durability wal;

    Durable(Durability wal) {
        this.wal = wal;
    }

    Durability wal() {
        return wal;
    }
}
