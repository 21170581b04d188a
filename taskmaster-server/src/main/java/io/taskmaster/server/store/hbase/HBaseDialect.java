package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.settings.HBaseSettings;
import io.taskmaster.server.store.hbase.traffic.CallsInFlight;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dialect of HBase. Where an {@code hbase-site.xml} configures Kerberos, its client logs in by itself, with
 * {@code hbase.client.keytab.file} and {@code hbase.client.keytab.principal}, and renews expiring tickets. Immutable.
 */
final class HBaseDialect implements Dialect {

    private static final Logger log = LoggerFactory.getLogger(HBaseDialect.class);

    private static final Bounds BOUNDS =
            new Bounds(HConstants.MAX_ROW_LENGTH, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final HBaseSettings settings;
    private final Durability durability;

    HBaseDialect(HBaseSettings settings) {
        this.settings = settings;
        this.durability = switch (settings.durabilityLevel()) {
            case FSYNC -> Durability.FSYNC_WAL;
            case SYNC -> Durability.SYNC_WAL;
        };
    }

    @Override
    public String name() {
        return "HBase";
    }

    @Override
    public String reachable() {
        return "its ZooKeeper and region servers, reachable from this machine";
    }

    @Override
    public Bounds bounds() {
        return BOUNDS;
    }

    @Override
    public CompletableFuture<HBaseConnections> connect() {
        return CallsInFlight.begin(() -> ConnectionFactory.createAsyncConnection(configuration()))
                .thenApply(connection -> new HBaseConnections(connection, connection));
    }

    private Configuration configuration() {
        Configuration configuration = HBaseConfiguration.create();
        settings.site().ifPresent(site -> configuration.addResource(new Path(site.toUri())));
        settings.zookeeper().ifPresent(quorum -> configuration.set(HConstants.ZOOKEEPER_QUORUM, quorum));
        // The client must accept values up to a piece. The server decides on the maximum size.
        configuration.setInt("hbase.client.keyvalue.maxsize", HBaseColumns.PIECE_BYTES + (1 << 20));
        HBaseSockets.applyTo(configuration);
        if (User.isHBaseSecurityEnabled(configuration)) {
            // This class decides whether Kerberos is on, and by itself reads only the configuration on the class path.
            UserGroupInformation.setConfiguration(configuration);
        }
        log.debug("connecting to HBase at {}", configuration.get(HConstants.ZOOKEEPER_QUORUM));
        return configuration;
    }

    @Override
    public CompletableFuture<Boolean> isServed(AsyncAdmin admin, TableName table) {
        return admin.isTableDisabled(table)
                .thenCompose(disabled -> disabled
                        ? CompletableFuture.failedFuture(new TableNotEnabledException(table))
                        : admin.isTableAvailable(table));
    }

    /**
     * Returns puts and deletes of a row as two mutations, not as an atomic one. HBase syncs its log for each atomic
     * mutation by itself, and once for all plain mutations of a batch. Both land in one batch, and a reader almost
     * always sees them together.
     */
    @Override
    public List<Row> change(Put put, List<CellWrite.Delete> deletes) {
        List<Row> mutations = new ArrayList<>(2);
        if (!put.isEmpty()) {
            mutations.add(put.setDurability(durability));
        }
        if (!deletes.isEmpty()) {
            // Not beside a put: the marker of a whole row would hide what the put has just written under the same
            // stamp.
            boolean deletesRow = put.isEmpty() && coversRow(deletes);
            Delete delete = deletesRow ? deleteRow(put.getRow(), deletes) : HBaseColumns.delete(put.getRow(), deletes);
            mutations.add(delete.setDurability(durability));
        }
        return mutations;
    }

    private static boolean coversRow(List<CellWrite.Delete> deletes) {
        Stamp stamp = deletes.getFirst().stamp();
        return deletes.stream().anyMatch(delete -> delete.key().column() == 0)
                && deletes.stream().allMatch(delete -> delete.stamp().equals(stamp));
    }

    /** Returns a single delete marker, which covers all pieces of large values. */
    private static Delete deleteRow(byte[] row, List<CellWrite.Delete> deletes) {
        return new Delete(row)
                .addFamily(
                        HBaseColumns.family(), Timestamps.of(deletes.getFirst().stamp()));
    }

    /**
     * Returns a deletion with the largest timestamp. Without one, HBase would use the server's clock, which
     * TaskMaster's stamps may be ahead of.
     */
    @Override
    public Delete rowDelete(Table table, byte[] row) {
        // A deletion of log rows may be lost in a crash: no replay reads in front of the checkpoint.
        return new Delete(row)
                .addFamily(HBaseColumns.family(), Timestamps.LAST)
                .setDurability(table == Table.LOG ? Durability.ASYNC_WAL : durability);
    }

    @Override
    public CompletableFuture<Boolean> checkAndPut(
            AsyncTable<AdvancedScanResultConsumer> table, byte[] qualifier, Optional<byte[]> held, Put put) {
        CheckAndMutate.Builder check = CheckAndMutate.newBuilder(put.getRow());
        if (held.isPresent()) {
            check.ifMatches(HBaseColumns.family(), qualifier, CompareOperator.EQUAL, held.get());
        } else {
            check.ifNotExists(HBaseColumns.family(), qualifier);
        }
        return table.checkAndMutate(check.build(put.setDurability(durability)))
                .thenApply(CheckAndMutateResult::isSuccess);
    }

    @Override
    public List<CompletableFuture<Result>> get(AsyncTable<AdvancedScanResultConsumer> table, List<Get> rows) {
        return table.get(rows);
    }

    @Override
    public CompletableFuture<Boolean> scan(
            AsyncTable<AdvancedScanResultConsumer> table, Scan scan, Predicate<Result> consumer) {
        RowConsumer rowConsumer = new RowConsumer(consumer);
        table.scan(scan, rowConsumer);
        return rowConsumer.ended;
    }

    /**
     * Returns whether the failure is an answer that a server gives before it executes the operation. In a batch, one
     * such answer may cover rows of which some were changed before the region closed. That is harmless: after a refusal
     * the caller repeats the same bytes under the same stamps, or settles the outcome by reading back.
     */
    @Override
    public boolean isRefusal(Throwable failure) {
        return switch (failure) {
            // The region is elsewhere, or its server is overloaded or shutting down.
            case NotServingRegionException _,
                    RegionTooBusyException _,
                    CallQueueTooBigException _,
                    ServerNotRunningYetException _,
                    RegionServerStoppedException _,
                    PleaseHoldException _,
                    WrongRegionException _ -> true;
            // No server was reached.
            case ConnectException _, FailedServerException _ -> true;
            // The operator of HBase has to act.
            case TableNotFoundException _,
                    TableNotEnabledException _,
                    NoSuchColumnFamilyException _,
                    FailedSanityCheckException _,
                    AccessDeniedException _ -> true;
            default -> false;
        };
    }

    @Override
    public String advice(Throwable failure) {
        return "";
    }

    /**
     * A consumer that passes rows from HBase's client to the taker. Single-threaded: called by one thread of the client
     * at a time.
     */
    private static final class RowConsumer implements AdvancedScanResultConsumer {

        final CompletableFuture<Boolean> ended = new CompletableFuture<>();
        private final Predicate<Result> consumer;

        RowConsumer(Predicate<Result> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onNext(Result[] found, ScanController controller) {
            try {
                for (Result row : found) {
                    if (!consumer.test(row)) {
                        ended.complete(false);
                        controller.terminate();
                        return;
                    }
                }
            } catch (RuntimeException broken) {
                ended.completeExceptionally(broken);
                controller.terminate();
            }
        }

        @Override
        public void onError(Throwable error) {
            ended.completeExceptionally(error);
        }

        @Override
        public void onComplete() {
            ended.complete(true);
        }
    }
}
