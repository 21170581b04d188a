package io.taskmaster.server.store.rocksdb;

/**
 * What the scans of a store met since it was opened. Immutable.
 *
 * @param scans how many there were
 * @param rows rows that they returned
 * @param cells cells that they returned
 * @param tombstones deleted cells that they had to step over
 * @param hidden older versions of cells, and deleted data below tombstones, that they had to step over
 */
public record ScanStatistics(long scans, long rows, long cells, long tombstones, long hidden) {}
