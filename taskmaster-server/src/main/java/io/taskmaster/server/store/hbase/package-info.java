/**
 * The adapter for HBase, and for what speaks its API, such as Cloud Bigtable (design, section 7). Nothing else sees HBase.
 *
 * <pre>
 *   write ----> RowChange per row --> Writes: gather per table --> AsyncTable.batch
 *   putIfAbsent, compareAndSet -----> Comparisons ---------------> AsyncTable.checkAndMutate
 *   read -----> Gets, whole rows ---> Reads ---------------------> AsyncTable.getAll
 *   scan ---------------------------> Scans ---------------------> AsyncTable.scan
 *   deleteRange --> scan of keys, deletes of rows, in slices
 *                                       all of them through Flights: bounded, and failures told as outcomes
 * </pre>
 */
@NullMarked
package io.taskmaster.server.store.hbase;

import org.jspecify.annotations.NullMarked;
