package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/**
 * What a failure of HBase says about the operation. Only what a server answers before it does anything, and what never left this process,
 * is a refusal; of everything else nobody knows. Stateless.
 */
final class Failures {

    private static final int MAX_DEPTH = 16;

    private Failures() {}

    /** Of what writes. */
    static StoreException ofWriting(String tried, Throwable failure) {
        return of(tried, failure, isRefusal(root(failure)) ? Outcome.REFUSED : Outcome.UNKNOWN);
    }

    /** Of what reads: nothing was done. */
    static StoreException ofReading(String tried, Throwable failure) {
        return of(tried, failure, Outcome.REFUSED);
    }

    private static StoreException of(String tried, Throwable failure, Outcome outcome) {
        Throwable root = root(failure);
        if (root instanceof StoreException told) {
            return told;
        }
        return new StoreException(outcome, "HBase: " + tried + ": " + describe(root), failure);
    }

    private static boolean isRefusal(Throwable failure) {
        return switch (failure) {
            // The region is elsewhere, or its server has too much to do: said before the server looks at the operation.
            case NotServingRegionException _,
                    RegionTooBusyException _,
                    CallQueueTooBigException _,
                    ServerNotRunningYetException _,
                    PleaseHoldException _,
                    WrongRegionException _ -> true;
            // Nobody was there to be asked.
            case ConnectException _, FailedServerException _ -> true;
            // Whoever runs HBase has to do something about it.
            case TableNotFoundException _,
                    TableNotEnabledException _,
                    NoSuchColumnFamilyException _,
                    FailedSanityCheckException _,
                    AccessDeniedException _ -> true;
            default -> false;
        };
    }

    /** What is behind the wrappers of futures and of the client. */
    static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            Throwable cause = root.getCause();
            boolean wraps = root instanceof CompletionException
                    || root instanceof ExecutionException
                    || root instanceof RetriesExhaustedException;
            if (!wraps || cause == null) {
                break;
            }
            root = cause;
        }
        return root;
    }

    /** The first line: behind it HBase appends the stack trace of its server. */
    static String describe(Throwable failure) {
        @Nullable String message = failure.getMessage();
        String name = failure.getClass().getSimpleName();
        return message == null
                ? name
                : name + ": " + message.lines().findFirst().orElse("");
    }
}
