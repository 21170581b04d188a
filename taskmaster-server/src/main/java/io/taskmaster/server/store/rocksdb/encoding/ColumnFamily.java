package io.taskmaster.server.store.rocksdb.encoding;

import org.rocksdb.ColumnFamilyHandle;

/** A column family with its id, which the handle would fetch from native code each time. Immutable. */
public record ColumnFamily(ColumnFamilyHandle handle, int id) {

    public static ColumnFamily of(ColumnFamilyHandle handle) {
        return new ColumnFamily(handle, handle.getID());
    }
}
