package io.taskmaster.server.store.rocksdb;

/**
 * The work that the scans of a store have done since it was opened. Immutable.
 *
 * @param scans the number of scans
 * @param rows the number of rows that they returned
 * @param cells the number of cells that they returned
 * @param tombstones the number of deleted cells that they skipped
 * @param hidden the number of older versions of cells, and of deleted entries below tombstones, that they skipped
 */
public record ScanStatistics(long scans, long rows, long cells, long tombstones, long hidden) {}
