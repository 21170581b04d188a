package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.settings.BigtableSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The dialect of Cloud Bigtable, through Google's client of the HBase API. The client is loaded by name: it is large,
 * and only deployments on Bigtable need it. There are no delete markers, so deleting cell by cell costs nothing; a row
 * is changed atomically by one entry of a batch; and the client's own retries are off where they may do harm.
 * Immutable.
 */
final class BigtableDialect implements Dialect {

    private static final String CONNECTION_CLASS = "org.apache.hadoop.hbase.client.BigtableAsyncConnection";

    /** The service accepts keys of 4 KiB. A scan that continues after a row starts at a key that is one byte longer. */
    private static final int MAX_ROW_BYTES = (4 << 10) - 1;

    /**
     * The client writes the expected value into a filter, as the first and as the last of a range; a filter may have 20
     * KiB.
     */
    private static final int MAX_EXPECTED_BYTES = 10_000;

    /**
     * With more than 20,000 rows of a table in flight the client blocks its caller. All batches and deletions together
     * stay below.
     */
    private static final int MAX_ROWS_OUT = 16_000;

    private static final int MAX_RANGE_DELETES = 4;

    /** The exceptions for gRPC statuses with which the service rejects a request before it executes it. */
    private static final Set<String> REFUSALS = Set.of(
            "FailedPreconditionException",
            "InvalidArgumentException",
            "NotFoundException",
            "PermissionDeniedException",
            "UnauthenticatedException",
            "UnimplementedException");

    private final BigtableSettings settings;

    BigtableDialect(BigtableSettings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "Bigtable";
    }

    @Override
    public String reachable() {
        return settings.emulator()
                .map(emulator -> "an emulator at " + emulator)
                .orElse("the service, reachable from this machine, with credentials for project " + settings.project());
    }

    @Override
    public Bounds bounds() {
        return new Bounds(MAX_ROW_BYTES, MAX_EXPECTED_BYTES, MAX_ROWS_OUT, MAX_RANGE_DELETES);
    }

    @Override
    public CompletableFuture<HBaseConnections> connect() {
        return CompletableFuture.supplyAsync(
                () -> new HBaseConnections(connect(false), connect(true)), BigtableDialect::runBlocking);
    }

    private AsyncConnection connect(boolean retries) {
        try {
            return Class.forName(CONNECTION_CLASS)
                    .asSubclass(AsyncConnection.class)
                    .getConstructor(Configuration.class)
                    .newInstance(configuration(retries));
        } catch (ClassNotFoundException missing) {
            throw new StoreException(
                    Outcome.REFUSED,
                    "bigtable: Google's HBase client is not on the class path (expected: the jars of dist/bigtable, which ./taskmaster server"
                            + " --store bigtable adds)",
                    missing);
        } catch (InvocationTargetException failure) {
            throw HBaseFailures.ofReading(this, "connect", failure.getTargetException());
        } catch (ReflectiveOperationException foreign) {
            throw new StoreException(
                    Outcome.REFUSED, "bigtable: unsupported version of Google's HBase client: " + foreign, foreign);
        }
    }

    private Configuration configuration(boolean retries) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set("google.bigtable.project.id", settings.project());
        configuration.set("google.bigtable.instance.id", settings.instance());
        settings.appProfile().ifPresent(profile -> configuration.set("google.bigtable.app_profile.id", profile));
        settings.emulator()
                .ifPresent(emulator -> configuration.set("google.bigtable.emulator.endpoint.host", emulator));
        configuration.setBoolean("google.bigtable.grpc.retry.enable", retries);
        long callMillis = settings.limits().callTimeout().toMillis();
        configuration.setLong("google.bigtable.mutate.rpc.timeout.ms", callMillis);
        long readMillis = settings.limits().readTimeout().toMillis();
        configuration.setLong("google.bigtable.rpc.timeout.ms", retries ? readMillis : callMillis);
        configuration.setLong("google.bigtable.read.rpc.timeout.ms", readMillis);
        // The service decides on the maximum size.
        configuration.setInt("hbase.client.keyvalue.maxsize", 0);
        return configuration;
    }

    /** Returns true at once: tablets are no concern of clients. */
    @Override
    public CompletableFuture<Boolean> isServed(AsyncAdmin admin, TableName table) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public List<Row> change(Put put, List<CellWrite.Delete> deletes) {
        if (deletes.isEmpty()) {
            return List.of(put);
        }
        Delete delete = HBaseColumns.delete(put.getRow(), deletes);
        return List.of(put.isEmpty() ? delete : both(put, delete));
    }

    private static RowMutations both(Put put, Delete delete) {
        try {
            return RowMutations.of(List.of(put, delete));
        } catch (IOException differentRows) {
            throw new UncheckedIOException(differentRows);
        }
    }

    @Override
    public Delete rowDelete(Table table, byte[] row) {
        return new Delete(row);
    }

    /** Uses the deprecated builder, since Google's client does not support its successor. */
    @Override
    @SuppressWarnings("deprecation")
    public CompletableFuture<Boolean> checkAndPut(
            AsyncTable<AdvancedScanResultConsumer> table, byte[] qualifier, Optional<byte[]> held, Put put) {
        AsyncTable.CheckAndMutateBuilder check =
                table.checkAndMutate(put.getRow(), HBaseColumns.family()).qualifier(qualifier);
        return held.map(check::ifEquals).orElseGet(check::ifNotExists).thenPut(put);
    }

    /**
     * Reads rows one by one: gets in batches are not thread-safe in Google's client, and share one deadline that is
     * never renewed.
     */
    @Override
    public List<CompletableFuture<Result>> get(AsyncTable<AdvancedScanResultConsumer> table, List<Get> rows) {
        return rows.stream().map(table::get).toList();
    }

    /** Scans on a virtual thread: the only kind of scan that can be stopped blocks. */
    @Override
    public CompletableFuture<Boolean> scan(
            AsyncTable<AdvancedScanResultConsumer> table, Scan scan, Predicate<Result> consumer) {
        return CompletableFuture.supplyAsync(() -> consume(table, scan, consumer), BigtableDialect::runBlocking);
    }

    private static boolean consume(
            AsyncTable<AdvancedScanResultConsumer> table, Scan scan, Predicate<Result> consumer) {
        try (ResultScanner rows = table.getScanner(scan)) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
                if (!consumer.test(row)) {
                    return false;
                }
            }
            return true;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void runBlocking(Runnable task) {
        Thread.ofVirtual().name("bigtable").start(task);
    }

    /**
     * Returns whether the failure is a refusal. The client's exceptions are compared by name, since only its jar has
     * the classes.
     */
    @Override
    public boolean isRefusal(Throwable failure) {
        return switch (failure) {
            // Thrown by the client itself, for requests that it cannot send.
            case IllegalArgumentException _, UnsupportedOperationException _ -> true;
            default -> REFUSALS.contains(failure.getClass().getSimpleName());
        };
    }

    @Override
    public String advice(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("ingle-row transactions")
                ? " (expected: in bigtable.app-profile, an app profile with single-cluster routing that allows single-row transactions)"
                : "";
    }
}
