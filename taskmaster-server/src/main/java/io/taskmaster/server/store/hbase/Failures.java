package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.jspecify.annotations.Nullable;

/**
 * What a failure of a client says about the operation. Only what a server answers before it does anything, and what never left this process,
 * is a refusal; of everything else nobody knows. Stateless.
 */
final class Failures {

    private static final int MAX_DEPTH = 16;

    private Failures() {}

    /** Of what writes. */
    static StoreException ofWriting(Dialect dialect, String tried, Throwable failure) {
        return of(dialect, tried, failure, dialect.isRefusal(root(failure)) ? Outcome.REFUSED : Outcome.UNKNOWN);
    }

    /** Of what reads: nothing was done. */
    static StoreException ofReading(Dialect dialect, String tried, Throwable failure) {
        return of(dialect, tried, failure, Outcome.REFUSED);
    }

    private static StoreException of(Dialect dialect, String tried, Throwable failure, Outcome outcome) {
        Throwable root = root(failure);
        if (root instanceof StoreException told) {
            return told;
        }
        return new StoreException(
                outcome, dialect.name() + ": " + tried + ": " + describe(root) + dialect.advice(root), failure);
    }

    /** What is behind the wrappers of futures and of the client. */
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

    /** The first line: behind it an HBase appends the stack trace of its server. */
    static String describe(Throwable failure) {
        @Nullable String message = failure.getMessage();
        String name = failure.getClass().getSimpleName();
        return message == null
                ? name
                : name + ": " + message.lines().findFirst().orElse("");
    }
}
