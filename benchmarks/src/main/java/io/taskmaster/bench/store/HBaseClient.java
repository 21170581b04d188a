package io.taskmaster.bench.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** HBase's own client, as it is when nothing is set but where HBase is. What it is asked for blocks, a minute at most. Thread-safe. */
final class HBaseClient implements AutoCloseable {

    /** The one family of our tables; not to be changed. */
    static final byte[] FAMILY = {'c'};

    /** The one column of our tables; not to be changed. */
    static final byte[] COLUMN = {'c'};

    private static final int PATIENCE_SECONDS = 60;

    private final AsyncConnection connection;
    private final AsyncAdmin admin;

    private HBaseClient(AsyncConnection connection) {
        this.connection = connection;
        this.admin = connection.getAdmin();
    }

    /**
     * Connects.
     *
     * @param zookeeper host and port, more of them with commas between
     */
    static HBaseClient connect(String zookeeper) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, zookeeper);
        return new HBaseClient(
                await("connect to " + zookeeper, ConnectionFactory.createAsyncConnection(configuration)));
    }

    /** Which HBase it is, as its master says. */
    String version() {
        ClusterMetrics metrics =
                await("ask for the version", admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION)));
        return Objects.requireNonNullElse(metrics.getHBaseVersion(), "unknown");
    }

    /** Makes a table of one version per cell, uncompressed, cut at these rows. */
    AsyncTable<?> create(TableName name, byte[][] splits) {
        var descriptor = TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setMaxVersions(1)
                        .build())
                .build();
        await(
                "make table " + name,
                splits.length == 0 ? admin.createTable(descriptor) : admin.createTable(descriptor, splits));
        return connection.getTable(name);
    }

    /** Drops a table that is there. */
    void drop(TableName name) {
        await("drop table " + name, dropping(name));
    }

    /** Drops all tables whose names begin so. */
    void dropAll(String prefix) {
        Pattern names = Pattern.compile(Pattern.quote(prefix) + ".*");
        List<TableName> tables = await("list tables " + prefix, admin.listTableNames(names, false));
        await(
                "drop tables " + prefix,
                CompletableFuture.allOf(tables.stream().map(this::dropping).toArray(CompletableFuture[]::new)));
    }

    private CompletableFuture<Void> dropping(TableName name) {
        return admin.disableTable(name).thenCompose(_ -> admin.deleteTable(name));
    }

    private static <T> T await(String tried, CompletableFuture<T> asked) {
        try {
            return asked.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("HBase: cannot " + tried + ": " + root(e), e);
        }
    }

    /** Why a call failed, in a word. */
    static String reason(Throwable failure) {
        return root(failure).getClass().getSimpleName();
    }

    /** What is behind the wrappers of futures and of the client. */
    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null
                && (root instanceof CompletionException || root instanceof RetriesExhaustedException)) {
            root = root.getCause();
        }
        return root;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException("HBase: not closed cleanly", e);
        }
    }
}
