package io.taskmaster.server.store.rocksdb;

import org.rocksdb.ColumnFamilyHandle;

/** A column family with its id, which the handle would fetch from native code each time. Immutable. */
record Family(ColumnFamilyHandle handle, int id) {

    static Family of(ColumnFamilyHandle handle) {
        return new Family(handle, handle.getID());
    }
}
