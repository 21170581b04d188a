package io.taskmaster.server.store.rocksdb;

/**
 * The resource limits of the embedded store. Immutable.
 *
 * @param cacheBytes native memory for blocks, filters and memtables together
 * @param memtableBytes the share of it that memtables may take before they are written out
 * @param logMemtableBytes the size of one memtable of the log; the larger, the more rows are trimmed before they are
 *     ever written out
 * @param walBytes the maximum size of the write-ahead log, which bounds the time that opening takes
 * @param bulkBatchBytes the maximum of bulk writes before or in one synced batch, so that log rows never wait for a
 *     whole flush round
 * @param logBatchBytes the maximum of log rows in one synced batch
 * @param waitingBytes the maximum of queued writes, for log rows and bulk writes each; beyond it, operations are
 *     refused
 * @param waitingReads the maximum number of queued reads and scans; beyond it, they are refused
 * @param readThreads the number of reader threads
 */
public record RocksDbSettings(
        long cacheBytes,
        long memtableBytes,
        long logMemtableBytes,
        long walBytes,
        int bulkBatchBytes,
        int logBatchBytes,
        long waitingBytes,
        int waitingReads,
        int readThreads) {

    private static final long MIB = 1 << 20;

    /** The settings for a node with a heap of a few hundred megabytes and two cores. */
    public static final RocksDbSettings DEFAULTS =
            new RocksDbSettings(160 * MIB, 112 * MIB, 64 * MIB, 256 * MIB, 2 << 20, 4 << 20, 64 * MIB, 16_384, 2);

    public RocksDbSettings {
        if (memtableBytes < MIB || cacheBytes <= memtableBytes) {
            throw new IllegalArgumentException("cacheBytes: " + cacheBytes + " (expected: more than memtableBytes, "
                    + memtableBytes + ", which is at least 1 MiB)");
        }
        requirePositive("logMemtableBytes", logMemtableBytes);
        requirePositive("walBytes", walBytes);
        requirePositive("bulkBatchBytes", bulkBatchBytes);
        requirePositive("logBatchBytes", logBatchBytes);
        requirePositive("waitingBytes", waitingBytes);
        requirePositive("waitingReads", waitingReads);
        requirePositive("readThreads", readThreads);
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least 1)");
        }
    }
}
