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
 * One API, and how what is behind it wants to be spoken to: all that differs between HBase and Cloud Bigtable is said here and nowhere else.
 * The rest of the package says only what both understand alike. Thread-safe.
 */
sealed interface Dialect permits HBaseDialect, BigtableDialect {

    /**
     * What it takes. What is beyond would fail in ways of its own, or for good, so it is never sent. Immutable.
     *
     * @param maxRowBytes of a row key
     * @param maxExpectedBytes of the value that a cell is compared with, as it is stored
     * @param maxRowsOut rows of a table in batches that are out at the same time
     * @param maxErasures ranges of rows that are being deleted at the same time
     */
    record Bounds(int maxRowBytes, int maxExpectedBytes, int maxRowsOut, int maxErasures) {}

    /** What it is called, for people. */
    String name();

    /** What must be the case for it to answer, for people. */
    String reachable();

    Bounds bounds();

    /** Connects. Fails with a {@link StoreException} if there is nothing to connect with. */
    CompletableFuture<Connections> connect();

    /** Whether all of a table that exists can be used by now. Fails if somebody has to do something about it. */
    CompletableFuture<Boolean> isServed(AsyncAdmin admin, TableName table);

    /**
     * The entries of a batch that change a row. A row that loses its column 0 and gets nothing is deleted as a whole.
     *
     * @param put perhaps empty
     */
    List<Row> change(Put put, List<CellWrite.Delete> deletes);

    /** Takes all of a row, whatever the stamps of its cells. That of a row of the log need not be durable at once: a later owner looks again. */
    Delete erasure(Table table, byte[] row);

    /**
     * Puts if a cell holds a value, or if it is not there. Whether it did.
     *
     * @param held not empty: to one of the two, an empty value is none
     */
    CompletableFuture<Boolean> checkAndPut(
            AsyncTable<AdvancedScanResultConsumer> table, byte[] qualifier, Optional<byte[]> held, Put put);

    /** A result for each row. */
    List<CompletableFuture<Result>> get(AsyncTable<AdvancedScanResultConsumer> table, List<Get> rows);

    /**
     * Hands out rows until no more are wanted. True if they came to their end.
     *
     * @param taker says whether it wanted this one; called by one thread at a time
     */
    CompletableFuture<Boolean> scan(AsyncTable<AdvancedScanResultConsumer> table, Scan scan, Predicate<Result> taker);

    /** Whether a failure says that a change was not made, and never will be. */
    boolean isRefusal(Throwable failure);

    /** What else to say of a failure to whoever can do something about it; mostly nothing. */
    String advice(Throwable failure);

    /**
     * @throws StoreException if no row can have such a key
     */
    default void requireRow(byte[] row) {
        requireAtMost("row", row.length, bounds().maxRowBytes());
    }

    /**
     * @throws StoreException if no cell can be compared with such a value
     */
    default void requireComparable(byte[] held) {
        requireAtMost("compared value", held.length, bounds().maxExpectedBytes());
    }

    private void requireAtMost(String what, int bytes, int limit) {
        if (bytes > limit) {
            throw new StoreException(
                    Outcome.REFUSED,
                    "%s: %s: %d bytes (expected: at most %d, more it cannot take)"
                            .formatted(name(), what, bytes, limit),
                    null);
        }
    }
}
