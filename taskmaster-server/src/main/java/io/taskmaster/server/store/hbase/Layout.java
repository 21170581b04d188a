package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.UnknownLayoutException;
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
 * The tables: made where they are missing, cut at the partitions, each with a family that is tuned for its use; and looked at where they are
 * there already, as when whoever runs HBase made them. Thread-safe.
 */
final class Layout {

    private static final Logger log = LoggerFactory.getLogger(Layout.class);

    /** Best first. A cluster has what its servers have libraries for; making a table with another is refused. */
    private static final List<Compression.Algorithm> COMPRESSIONS = List.of(
            Compression.Algorithm.ZSTD,
            Compression.Algorithm.SNAPPY,
            Compression.Algorithm.LZ4,
            Compression.Algorithm.NONE);

    /** Markers of deleted rows go with a major compaction: that of a queue is asked for more often than HBase's once a week. */
    private static final Duration MAJOR_COMPACTION = Duration.ofHours(6);

    /** A table is there before its regions are: soon, or never, which is for others to limit. */
    private static final long POLL_MILLIS = 100;

    private final Dialect dialect;
    private final AsyncAdmin admin;
    private final TableSettings settings;

    Layout(Dialect dialect, AsyncAdmin admin, TableSettings settings) {
        this.dialect = dialect;
        this.admin = admin;
        this.settings = settings;
    }

    /** Makes what is missing, and waits until it can be used, whoever makes it. Fails with an {@link UnknownLayoutException} if a table is not one of ours. */
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
        return created.thenRun(() -> log.info("table {} made, in {} regions", name, splits.length + 1))
                .exceptionallyCompose(failure -> {
                    Throwable root = Failures.root(failure);
                    if (root instanceof TableExistsException) {
                        return CompletableFuture.completedFuture(null);
                    }
                    boolean lessWillDo = compression + 1 < COMPRESSIONS.size() && compresses(table);
                    return lessWillDo && isAboutCompression(root)
                            ? create(table, name, compression + 1)
                            : CompletableFuture.failedFuture(failure);
                });
    }

    /** HBase has no exception of its own for that. */
    private static boolean isAboutCompression(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("ompression");
    }

    /** Tables whose descriptor we may not read were made by somebody who knows what he does. */
    private CompletableFuture<Void> check(TableName name) {
        return admin.getDescriptor(name)
                .thenAccept(found -> FamilyCheck.require(name, found))
                .exceptionallyCompose(failure -> Failures.root(failure) instanceof AccessDeniedException
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Where the regions of a new table end: at the partitions, evenly, for as many as there may be. */
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
        ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(Columns.family())
                .setMaxVersions(1)
                .setValue("hbase.hregion.majorcompaction", Long.toString(MAJOR_COMPACTION.toMillis()));
        switch (table) {
            // Scanned at the heads of queues, and asked for single rows that mostly are not there.
            case TASKS, DELAYED ->
                family.setBloomFilterType(BloomType.ROW)
                        .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                        .setCompressionType(compression);
            // Every append asks first whether the row is there, so blooms pay; the rows themselves are read only by a
            // recovery, and gone soon.
            case LOG -> family.setBloomFilterType(BloomType.ROW).setBlockCacheEnabled(false);
            case META -> family.setBloomFilterType(BloomType.ROW).setInMemory(true);
        }
        return TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(family.build())
                .build();
    }
}
