/** Bytes of cells in RocksDB: keys, values with stamps, and batches of writes. */
@NullMarked
package io.taskmaster.server.store.rocksdb.encoding;

import org.jspecify.annotations.NullMarked;
