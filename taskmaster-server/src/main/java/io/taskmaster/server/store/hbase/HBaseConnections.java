package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.UnknownLayoutException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * The connections of the adapter: one on which the client retries nothing, and one on which it retries reads until
 * their timeout. They are the same where the client takes its retries per call. Thread-safe.
 */
record HBaseConnections(AsyncConnection writing, AsyncConnection reading) implements Closeable {

    /**
     * Connects. Blocks until the store has answered.
     *
     * @throws StoreException if there is no answer within the limit
     */
    static HBaseConnections open(Dialect dialect, Duration timeout) {
        return await(dialect, dialect.connect(), timeout);
    }

    /**
     * Waits for a call that the start needs. Blocks.
     *
     * @throws StoreException if it fails or takes too long
     */
    static <T> T await(Dialect dialect, CompletableFuture<T> future, Duration timeout) {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw switch (HBaseFailures.root(failure)) {
                case StoreException told -> told;
                case UnknownLayoutException told -> told;
                case Throwable other -> HBaseFailures.ofReading(dialect, "connect", other);
            };
        } catch (TimeoutException late) {
            throw new StoreException(
                    Outcome.REFUSED,
                    dialect.name() + ": no answer within " + timeout.toSeconds() + " s (expected: "
                            + dialect.reachable() + ")",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreException(Outcome.REFUSED, dialect.name() + ": interrupted while connecting", interrupted);
        }
    }

    @Override
    public void close() throws IOException {
        try (writing) {
            reading.close();
        }
    }
}
