package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.UnknownLayoutException;
import io.taskmaster.server.store.hbase.settings.TableSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The setup of the tables. Missing ones are created, split at partitions, each with a family tuned for its use.
 * Existing ones, which the operator of HBase may have created, are checked. Thread-safe.
 */
final class Layout {

    private static final Logger log = LoggerFactory.getLogger(Layout.class);

    /**
     * The compressions to try, best first. A cluster supports those that its servers have libraries for; creating a
     * table with another is refused.
     */
    private static final List<Compression.Algorithm> COMPRESSIONS = List.of(
            Compression.Algorithm.ZSTD,
            Compression.Algorithm.SNAPPY,
            Compression.Algorithm.LZ4,
            Compression.Algorithm.NONE);

    /**
     * The interval of major compactions, which drop delete markers. For a queue that must be more often than HBase's
     * default of once a week.
     */
    private static final Duration MAJOR_COMPACTION = Duration.ofHours(6);

    /**
     * The interval at which a new table is polled. A table exists before its regions do; the caller limits the wait.
     */
    private static final long POLL_MILLIS = 100;

    private final Dialect dialect;
    private final AsyncAdmin admin;
    private final TableSettings settings;

    Layout(Dialect dialect, AsyncAdmin admin, TableSettings settings) {
        this.dialect = dialect;
        this.admin = admin;
        this.settings = settings;
    }

    /**
     * Creates missing tables, and waits until all can be used, including those that another node is creating. Fails
     * with an {@link UnknownLayoutException} if a table is not TaskMaster's.
     */
    CompletableFuture<Void> settle() {
        List<CompletableFuture<Void>> settled = new ArrayList<>();
        for (Table table : Table.values()) {
            settled.add(settle(table));
        }
        return CompletableFuture.allOf(settled.toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> settle(Table table) {
        TableName name = Tables.name(settings.tablePrefix(), table);
        return admin.tableExists(name)
                .thenCompose(exists -> exists ? CompletableFuture.completedFuture(null) : create(table, name, 0))
                .thenCompose(_ -> check(name))
                .thenCompose(_ -> awaitServed(name));
    }

    private CompletableFuture<Void> awaitServed(TableName name) {
        return dialect.isServed(admin, name).thenCompose(served -> {
            if (served) {
                return CompletableFuture.completedFuture(null);
            }
            Executor later = CompletableFuture.delayedExecutor(POLL_MILLIS, TimeUnit.MILLISECONDS);
            return CompletableFuture.runAsync(() -> {}, later).thenCompose(_ -> awaitServed(name));
        });
    }

    private CompletableFuture<Void> create(Table table, TableName name, int compression) {
        TableDescriptor descriptor = descriptor(table, name, COMPRESSIONS.get(compression));
        byte[][] splits = splits();
        CompletableFuture<Void> created =
                splits.length == 0 ? admin.createTable(descriptor) : admin.createTable(descriptor, splits);
        return created.thenRun(() -> log.info("created table {} with {} regions", name, splits.length + 1))
                .exceptionallyCompose(failure -> {
                    Throwable root = HBaseFailures.root(failure);
                    // Another node created it in the meantime. It is checked like any existing table.
                    if (root instanceof TableExistsException) {
                        return CompletableFuture.completedFuture(null);
                    }
                    boolean lessWillDo = compression + 1 < COMPRESSIONS.size() && compresses(table);
                    return lessWillDo && isAboutCompression(root)
                            ? create(table, name, compression + 1)
                            : CompletableFuture.failedFuture(failure);
                });
    }

    /** Returns whether a failure is about the compression. HBase has no exception for that. */
    private static boolean isAboutCompression(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("ompression");
    }

    /**
     * Checks an existing table. If this process may not read its descriptor, an administrator created it, and it is
     * trusted.
     */
    private CompletableFuture<Void> check(TableName name) {
        return admin.getDescriptor(name)
                .thenAccept(found -> FamilyCheck.require(name, found))
                .exceptionallyCompose(failure -> HBaseFailures.root(failure) instanceof AccessDeniedException
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Returns the split points of a new table: at partitions, evenly. */
    private byte[][] splits() {
        byte[][] splits = new byte[settings.regions() - 1][];
        for (int i = 1; i < settings.regions(); i++) {
            splits[i - 1] = ByteBuffer.allocate(Store.PARTITION_PREFIX_BYTES)
                    .putShort((short) ((long) i * settings.partitions() / settings.regions()))
                    .array();
        }
        return splits;
    }

    private static boolean compresses(Table table) {
        return table == Table.TASKS || table == Table.DELAYED;
    }

    private static TableDescriptor descriptor(Table table, TableName name, Compression.Algorithm compression) {
        ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(HBaseColumns.family())
                .setMaxVersions(1)
                .setValue("hbase.hregion.majorcompaction", Long.toString(MAJOR_COMPACTION.toMillis()));
        switch (table) {
            // Scanned at the heads of queues, and read for single rows that are mostly absent.
            case TASKS, DELAYED ->
                family.setBloomFilterType(BloomType.ROW)
                        .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                        .setCompressionType(compression);
            // Every append first checks whether the row is absent, so bloom filters pay. The rows themselves are read
            // only by a recovery, and deleted soon.
            case LOG -> family.setBloomFilterType(BloomType.ROW).setBlockCacheEnabled(false);
            case META -> family.setBloomFilterType(BloomType.ROW).setInMemory(true);
        }
        return TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(family.build())
                .build();
    }
}
