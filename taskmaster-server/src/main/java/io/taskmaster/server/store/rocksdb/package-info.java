/** The embedded store on RocksDB. It is the default. */
@NullMarked
package io.taskmaster.server.store.rocksdb;

import org.jspecify.annotations.NullMarked;
