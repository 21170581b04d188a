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
 * What the adapter is connected through: one connection on which nothing is tried twice by the client, and one on which reads are, as long as
 * there is hope. Where the client is told so call by call they are the same. Thread-safe.
 */
record Connections(AsyncConnection writing, AsyncConnection reading) implements Closeable {

    /**
     * Connects. Blocks until somebody has answered.
     *
     * @throws StoreException if nobody does within the limit
     */
    static Connections open(Dialect dialect, Duration patience) {
        return await(dialect, dialect.connect(), patience);
    }

    /**
     * Waits for something that the start needs. Blocks.
     *
     * @throws StoreException if it fails or takes too long
     */
    static <T> T await(Dialect dialect, CompletableFuture<T> asked, Duration patience) {
        try {
            return asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw switch (Failures.root(failure)) {
                case StoreException told -> told;
                case UnknownLayoutException told -> told;
                case Throwable other -> Failures.ofReading(dialect, "connect", other);
            };
        } catch (TimeoutException late) {
            throw new StoreException(
                    Outcome.REFUSED,
                    dialect.name() + ": no answer within " + patience.toSeconds() + " s (expected: "
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
