package io.taskmaster.server.partition.context;

import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.store.Store;

/**
 * The rows of one partition in the store. Owned by the partition's loop.
 *
 * @param calls brings the outcomes of calls back to the loop
 * @param keys of the partition's rows
 */
public record PartitionRows(Store store, StoreCalls calls, RowKeys keys) {}
