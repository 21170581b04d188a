/**
 * The adapter for HBase, and for Cloud Bigtable, which offers HBase's API with differences. No other package uses
 * HBase, and in this one only {@link io.taskmaster.server.store.hbase.Dialect} tells the two apart.
 *
 * <pre>
 *   write ----> RowChange per row --> Writes: WriteBatcher ------> AsyncTable.batch
 *   putIfAbsent, compareAndSet -----> ConditionalWrites ---------> Dialect.checkAndPut
 *   read -----> Gets, whole rows ---> HBaseReads ----------------> Dialect.get
 *   scan ---------------------------> Scans ---------------------> Dialect.scan
 *   deleteRange --> scan of keys, deletion of rows, in slices
 *
 *   all of them bounded and scheduled by {@link io.taskmaster.server.store.hbase.traffic}
 * </pre>
 */
@NullMarked
package io.taskmaster.server.store.hbase;

import org.jspecify.annotations.NullMarked;
