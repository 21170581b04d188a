package io.taskmaster.server.partition.read;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.partition.log.row.CorruptLogException;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.HexFormat;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Corruption of stored data: recognising failures that are caused by it, and adding the name of the row to them.
 * Stateless.
 */
public final class Corruption {

    private Corruption() {}

    /** Returns true if a failure means that stored data cannot be trusted, so that retries are of no use. */
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CorruptLogException
                    || cause instanceof CorruptRecordException
                    || (cause instanceof StoreException store && store.outcome() == Outcome.CORRUPT)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if a failure means that a later version of TaskMaster wrote the data. */
    public static boolean isLaterFormat(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof LaterFormatException) {
                return true;
            }
        }
        return false;
    }

    /** Returns what is wrong with stored data, as a predicate of a sentence. */
    static String predicateOf(Throwable failure) {
        return isLaterFormat(failure) ? "is of a later version" : "is damaged";
    }

    /** Returns the error of all requests to a partition that cannot do without the corrupt data. */
    public static TaskMasterException ofPartition(int id, Throwable failure) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.INTERNAL,
                "partition %d is closed, because its stored data %s: %s"
                        .formatted(id, predicateOf(failure), unwrapped(failure).getMessage()),
                null,
                failure);
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Decodes a cell; if that fails, the exception names the cell. */
    public static <T> T withLocation(Cell cell, Supplier<T> decode) {
        try {
            return decode.get();
        } catch (CorruptRecordException corrupt) {
            byte[] row = cell.key().row().unsafeArray();
            int partition = ((row[0] & 0xff) << Byte.SIZE) | (row[1] & 0xff);
            throw new CorruptRecordException(
                    "partition %d, table %s, row %s, column %d: %s"
                            .formatted(
                                    partition,
                                    cell.key().table(),
                                    HexFormat.of().formatHex(row),
                                    cell.key().column(),
                                    corrupt.getMessage()),
                    corrupt.getCause());
        }
    }
}
