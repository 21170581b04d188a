package io.taskmaster.examples.demo;

import java.util.Locale;

/** The stores that the demo's own server can be on. */
enum StoreName {
    ROCKSDB,
    HBASE;

    /** As on command lines. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
