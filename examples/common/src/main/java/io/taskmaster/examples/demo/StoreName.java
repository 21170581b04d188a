package io.taskmaster.examples.demo;

import java.util.Locale;

/** The stores that the demo's own server can use. */
enum StoreName {
    ROCKSDB,
    HBASE;

    /** Returns the name as it is used on command lines. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
