package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.jspecify.annotations.Nullable;

/**
 * The translation of the client's failures into {@link StoreException}. Only an answer that a server gives before it
 * executes anything, and a request that never left this process, is a refusal; all other outcomes are unknown.
 * Stateless.
 */
final class HBaseFailures {

    private static final int MAX_DEPTH = 16;

    private HBaseFailures() {}

    /** Translates a failure of a write. */
    static StoreException ofWriting(Dialect dialect, String tried, Throwable failure) {
        return of(dialect, tried, failure, dialect.isRefusal(root(failure)) ? Outcome.REFUSED : Outcome.UNKNOWN);
    }

    /** Translates a failure of a read. Nothing was changed. */
    static StoreException ofReading(Dialect dialect, String tried, Throwable failure) {
        return of(dialect, tried, failure, Outcome.REFUSED);
    }

    private static StoreException of(Dialect dialect, String tried, Throwable failure, Outcome outcome) {
        Throwable root = root(failure);
        if (root instanceof StoreException known) {
            return known;
        }
        return new StoreException(
                outcome, dialect.name() + ": " + tried + ": " + describe(root) + dialect.advice(root), failure);
    }

    /** Returns the cause behind the wrappers of futures and of the client. */
    static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            Throwable cause = root.getCause();
            boolean wraps = root instanceof CompletionException
                    || root instanceof ExecutionException
                    || root instanceof UncheckedIOException
                    || root instanceof RetriesExhaustedException;
            if (!wraps || cause == null) {
                break;
            }
            root = cause;
        }
        return root;
    }

    /** Returns the first line of the message. HBase appends the stack trace of its server to it. */
    static String describe(Throwable failure) {
        @Nullable String message = failure.getMessage();
        String name = failure.getClass().getSimpleName();
        return message == null
                ? name
                : name + ": " + message.lines().findFirst().orElse("");
    }
}
