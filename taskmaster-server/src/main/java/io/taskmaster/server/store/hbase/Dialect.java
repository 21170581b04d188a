package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The differences between HBase and Cloud Bigtable behind their common client API. All of them are here and nowhere
 * else; the rest of the package uses only what both support. Thread-safe.
 */
sealed interface Dialect permits HBaseDialect, BigtableDialect {

    /**
     * The limits of the service. Operations beyond them would fail in various ways, or always, so they are never sent.
     * Immutable.
     *
     * @param maxRowBytes the maximum length of a row key
     * @param maxExpectedBytes the maximum length of the stored value that a cell is compared with
     * @param maxRowsOut the maximum number of rows of a table in batches in flight
     * @param maxRangeDeletes the maximum number of range deletions in flight
     */
    record Bounds(int maxRowBytes, int maxExpectedBytes, int maxRowsOut, int maxRangeDeletes) {}

    /** The name of the service, for messages. */
    String name();

    /** The conditions under which the service answers, for messages. */
    String reachable();

    Bounds bounds();

    /** Connects. Fails with a {@link StoreException} if there is nothing to connect with. */
    CompletableFuture<HBaseConnections> connect();

    /**
     * Returns whether all regions of an existing table are available by now. Fails if only an operator can make it
     * available.
     */
    CompletableFuture<Boolean> isServed(AsyncAdmin admin, TableName table);

    /**
     * Returns the entries of a batch that change a row. A row that loses its column 0 and gains no cell is deleted as a
     * whole.
     *
     * @param put the cells to set; may be empty
     */
    List<Row> change(Put put, List<CellWrite.Delete> deletes);

    /**
     * Returns a deletion of a whole row, whatever the stamps of its cells. That of a log row need not be durable at
     * once: a later owner deletes it again.
     */
    Delete rowDelete(Table table, byte[] row);

    /**
     * Puts if a cell holds a value, or if it is absent. Returns whether it did.
     *
     * @param held the expected value, never of length 0: one of the two services takes an empty value for an absent
     *     cell
     */
    CompletableFuture<Boolean> checkAndPut(
            AsyncTable<AdvancedScanResultConsumer> table, byte[] qualifier, Optional<byte[]> held, Put put);

    /** Reads rows. Returns a result for each. */
    List<CompletableFuture<Result>> get(AsyncTable<AdvancedScanResultConsumer> table, List<Get> rows);

    /**
     * Passes rows to the taker until it declines one. Completes with true if the scan reached its end.
     *
     * @param consumer returns whether it took the row; called by one thread at a time
     */
    CompletableFuture<Boolean> scan(
            AsyncTable<AdvancedScanResultConsumer> table, Scan scan, Predicate<Result> consumer);

    /** Returns whether a failure guarantees that a change was not made, and never will be. */
    boolean isRefusal(Throwable failure);

    /** Returns advice for the operator on a failure; usually empty. */
    String advice(Throwable failure);

    /**
     * Checks the length of a row key.
     *
     * @throws StoreException if the service accepts no such key
     */
    default void requireRow(byte[] row) {
        requireAtMost("row", row.length, bounds().maxRowBytes());
    }

    /**
     * Checks the length of an expected value.
     *
     * @throws StoreException if the service cannot compare a cell with such a value
     */
    default void requireComparable(byte[] held) {
        requireAtMost("compared value", held.length, bounds().maxExpectedBytes());
    }

    private void requireAtMost(String subject, int bytes, int limit) {
        if (bytes > limit) {
            throw new StoreException(
                    Outcome.REFUSED,
                    "%s: %s: %d bytes (expected: at most %d, the limit of the service)"
                            .formatted(name(), subject, bytes, limit),
                    null);
        }
    }
}
