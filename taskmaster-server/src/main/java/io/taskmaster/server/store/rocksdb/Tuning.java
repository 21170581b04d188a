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
 * The options of RocksDB. All native objects are passed to the owner, which closes them after the database.
 *
 * <ul>
 *   <li>One cache bounds native memory: it holds blocks, filters and indexes, and memtables are charged to it.
 *   <li>Log rows are put once and trimmed a second or two later. Their memtable is large, so that many are gone before
 *       it is written out. What is written out is not worth compressing.
 *   <li>Tasks are removed at the head of a queue and leave tombstones there, which no scan visits. A file with very
 *       many of them is compacted soon.
 *   <li>A torn record at the end of the write-ahead log was never acknowledged and is dropped. A bad record before the
 *       end is corruption, and opening fails: rolling back to the point before it would lose acknowledged data.
 *   <li>What opening reads from the write-ahead log is written out to tables before anything is built on it. It may be
 *       in the page cache only: a process was killed before its sync, or the sync failed and the kernel dropped the
 *       pages. Syncing that log again would not help.
 * </ul>
 *
 * <p>Single-threaded.
 */
final class Tuning {

    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final double BLOOM_BITS = 10;
    private static final double INDEX_SHARE_OF_CACHE = 0.5;

    /**
     * The number of tombstones among {@link #TOMBSTONE_WINDOW} consecutive keys that triggers the compaction of a file,
     * whatever its size. The tombstones that leasing leaves at the head of a queue do not matter: no scan begins below
     * the queue's low-water mark. Hand-offs write them all the time, and compacting each such file took a third of the
     * CPU.
     */
    private static final int TOMBSTONES = 100_000;

    private static final int TOMBSTONE_WINDOW = 1 << 17;

    /**
     * The number of level-0 files of tasks that triggers a merge into the next level. Each round leaves a file or two.
     */
    private static final int LEVEL_0_FILES = 8;

    private static final long TABLE_BYTES = 16 * MIB;

    /** The maximum size of one compaction below level 0, in bytes. */
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
                // A crash may leave a torn record at the end of the log. Whether more than that is missing is found out
                // by the durability marker.
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                // What is read from the log goes to tables before it is built on: it may be in the page cache only (ADR
                // 12).
                .setAvoidFlushDuringRecovery(false)
                // A single thread writes: there is no order to keep among writers, and none to wait for.
                .setAllowConcurrentMemtableWrite(false)
                .setEnableWriteThreadAdaptiveYield(false)
                .setMaxBackgroundJobs(2)
                // Written out in small steps: one large burst of dirty pages would delay the syncs of the log.
                .setBytesPerSync(MIB)
                .setMaxOpenFiles(1000)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(MIB)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0)
                .setMaxManifestFileSize(16 * MIB);
    }

    /**
     * Returns options under which each write-ahead log names its predecessor and where that ended, and the manifest
     * lists the full ones. A missing log is therefore detected.
     */
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

    /** Returns options for small data that are often rewritten. */
    ColumnFamilyOptions small() {
        return common(owned(new ColumnFamilyOptions()))
                .setWriteBufferSize(8 * MIB)
                .setMaxWriteBufferNumber(2);
    }

    private ColumnFamilyOptions tasks() {
        TablePropertiesCollectorFactory tombstones = owned(
                TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(TOMBSTONE_WINDOW, TOMBSTONES, 0));
        // Only Options takes the collector; the column family's own options are then created from it.
        try (Options carrier = new Options()) {
            carrier.setTablePropertiesCollectorFactory(List.of(tombstones));
            return common(owned(new ColumnFamilyOptions(carrier)))
                    .setWriteBufferSize(16 * MIB)
                    .setMaxWriteBufferNumber(4)
                    .setLevel0FileNumCompactionTrigger(LEVEL_0_FILES)
                    // The same on all levels: otherwise keys that arrive in order would be rewritten only to be
                    // compressed.
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
                // A miss in the memtable then costs one lookup in its filter.
                .setMemtablePrefixBloomSizeRatio(0.02)
                .setMemtableWholeKeyFiltering(true);
    }

    private <T extends AutoCloseable> T owned(T resource) {
        owner.push(resource);
        return resource;
    }
}
