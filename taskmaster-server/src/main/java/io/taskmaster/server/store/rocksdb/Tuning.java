package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.Table;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;

/**
 * RocksDB's options. Everything native is handed to the owner, which closes it after the database.
 *
 * <ul>
 *   <li>One cache bounds native memory: blocks, filters and index live in it, and memtables are charged to it.
 *   <li>Log rows are put once and trimmed a second or two later. Their memtable is large, so that many are gone before it is written
 *       out, and what is written out is not worth compressing.
 *   <li>Tasks go at the head of a queue and leave tombstones there, which nobody scans. Where many more gather, the file is compacted soon.
 *   <li>A torn record at the end of the write-ahead log was never acknowledged and is dropped. A bad one before that is corruption, and
 *       opening fails: rolling back to the point before it would lose what was acknowledged.
 *   <li>What opening reads from the write-ahead log is written out to tables before anything is built on it. It may be in the page cache only: a
 *       process was killed before its sync, or the sync failed and the kernel gave up the pages. Syncing that log again would not help.
 * </ul>
 *
 * Single-threaded.
 */
final class Tuning {

    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final double BLOOM_BITS = 10;
    private static final double INDEX_SHARE_OF_CACHE = 0.5;

    /**
     * So many tombstones among so many keys in a row have a file compacted, whatever its size. Those that leasing leaves at the head of
     * a queue do not: no scan begins before the queue's low-water mark. Hand-offs write them all the time, and compacting each such file
     * took a third of the processor.
     */
    private static final int TOMBSTONES = 100_000;

    private static final int TOMBSTONE_WINDOW = 1 << 17;

    /** Of the tasks, before they are merged into the next level: each round leaves a file or two. */
    private static final int LEVEL_0_FILES = 8;

    private static final long TABLE_BYTES = 16 * MIB;

    /** Of tables that are merged at once, below level 0. */
    static final long MAX_COMPACTION_BYTES = 25 * TABLE_BYTES;

    private final RocksDbSettings settings;
    private final Deque<AutoCloseable> owner;
    private final Cache cache;
    private final BloomFilter bloom;

    Tuning(RocksDbSettings settings, Deque<AutoCloseable> owner) {
        this.settings = settings;
        this.owner = owner;
        this.cache = owned(new LRUCache(settings.cacheBytes(), -1, false, INDEX_SHARE_OF_CACHE));
        this.bloom = owned(new BloomFilter(BLOOM_BITS));
    }

    DBOptions database() {
        WriteBufferManager memtables = owned(new WriteBufferManager(settings.memtableBytes(), cache));
        return owned(checkedLogs())
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setWriteBufferManager(memtables)
                .setMaxTotalWalSize(settings.walBytes())
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                .setAvoidFlushDuringRecovery(false)
                // One thread writes, so there is nothing to order and nobody to wait for.
                .setAllowConcurrentMemtableWrite(false)
                .setEnableWriteThreadAdaptiveYield(false)
                .setMaxBackgroundJobs(2)
                // Written out bit by bit: one large burst of dirty pages would hold up the syncs of the log.
                .setBytesPerSync(MIB)
                .setMaxOpenFiles(1000)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(MIB)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0)
                .setMaxManifestFileSize(16 * MIB);
    }

    /** Each write-ahead log names the one before it and where that ended, and the manifest knows those that are full: none goes missing unseen. */
    private static DBOptions checkedLogs() {
        Properties checks = new Properties();
        checks.setProperty("track_and_verify_wals_in_manifest", "true");
        checks.setProperty("track_and_verify_wals", "true");
        return Objects.requireNonNull(DBOptions.getDBOptionsFromProps(checks), "options that RocksDB does not know");
    }

    ColumnFamilyOptions forTable(Table table) {
        return switch (table) {
            case TASKS -> tasks();
            case DELAYED, META -> small();
            case LOG -> log();
        };
    }

    /** For what is little and often rewritten. */
    ColumnFamilyOptions small() {
        return common(owned(new ColumnFamilyOptions()))
                .setWriteBufferSize(8 * MIB)
                .setMaxWriteBufferNumber(2);
    }

    private ColumnFamilyOptions tasks() {
        TablePropertiesCollectorFactory tombstones = owned(
                TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(TOMBSTONE_WINDOW, TOMBSTONES, 0));
        // Only Options takes the collector; the column family's own options are then made from them.
        try (Options carrier = new Options()) {
            carrier.setTablePropertiesCollectorFactory(List.of(tombstones));
            return common(owned(new ColumnFamilyOptions(carrier)))
                    .setWriteBufferSize(16 * MIB)
                    .setMaxWriteBufferNumber(4)
                    .setLevel0FileNumCompactionTrigger(LEVEL_0_FILES)
                    // On all levels alike, or what comes in order would be rewritten only to be compressed.
                    .setCompressionType(CompressionType.LZ4_COMPRESSION);
        }
    }

    private ColumnFamilyOptions log() {
        return common(owned(new ColumnFamilyOptions()))
                .setWriteBufferSize(settings.logMemtableBytes())
                .setMaxWriteBufferNumber(2);
    }

    private ColumnFamilyOptions common(ColumnFamilyOptions options) {
        BlockBasedTableConfig table = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(16 * KIB)
                .setFilterPolicy(bloom)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setOptimizeFiltersForMemory(true)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinTopLevelIndexAndFilter(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFormatVersion(6);
        return options.setTableFormatConfig(table)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setLevelCompactionDynamicLevelBytes(true)
                .setMaxBytesForLevelBase(64 * MIB)
                .setTargetFileSizeBase(TABLE_BYTES)
                .setMaxCompactionBytes(MAX_COMPACTION_BYTES)
                // A miss in the memtable then costs one look into its filter.
                .setMemtablePrefixBloomSizeRatio(0.02)
                .setMemtableWholeKeyFiltering(true);
    }

    private <T extends AutoCloseable> T owned(T resource) {
        owner.push(resource);
        return resource;
    }
}
