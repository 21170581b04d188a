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

/** HBase's own client with its default settings. Each method blocks, for at most a minute. Thread-safe. */
final class HBaseClient implements AutoCloseable {

    /** The only column family of the tables; not to be changed. */
    static final byte[] FAMILY = {'c'};

    /** The only column of the tables; not to be changed. */
    static final byte[] COLUMN = {'c'};

    private static final int TIMEOUT_SECONDS = 60;

    private final AsyncConnection connection;
    private final AsyncAdmin admin;

    private HBaseClient(AsyncConnection connection) {
        this.connection = connection;
        this.admin = connection.getAdmin();
    }

    /**
     * Connects to a cluster.
     *
     * @param zookeeper host and port, several of them separated by commas
     */
    static HBaseClient connect(String zookeeper) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, zookeeper);
        return new HBaseClient(
                await("connect to " + zookeeper, ConnectionFactory.createAsyncConnection(configuration)));
    }

    /** Returns the version of HBase, as its master reports it. */
    String version() {
        ClusterMetrics metrics =
                await("ask for the version", admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION)));
        return Objects.requireNonNullElse(metrics.getHBaseVersion(), "unknown");
    }

    /** Creates a table with one version per cell and no compression, split at these rows. */
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

    /** Drops a table that exists. */
    void drop(TableName name) {
        await("drop table " + name, dropping(name));
    }

    /** Drops all tables whose names have this prefix. */
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

    private static <T> T await(String tried, CompletableFuture<T> future) {
        try {
            return future.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("HBase: cannot " + tried + ": " + root(e), e);
        }
    }

    /** Returns the reason of a failed call, in one word. */
    static String reason(Throwable failure) {
        return root(failure).getClass().getSimpleName();
    }

    /** Returns the exception inside the wrappers of futures and of the client. */
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
