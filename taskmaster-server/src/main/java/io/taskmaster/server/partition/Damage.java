package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.partition.log.CorruptLogException;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.HexFormat;
import java.util.function.Supplier;

/** Stored bytes that are not what was written: how such a failure is told from others, and how it gets the name of its row. */
final class Damage {

    private Damage() {}

    /** Whether a failure says that what is stored cannot be trusted, so that trying again is no use. */
    static boolean isBehind(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CorruptLogException
                    || cause instanceof CorruptRecordException
                    || (cause instanceof StoreException store && store.outcome() == Outcome.CORRUPT)) {
                return true;
            }
        }
        return false;
    }

    /** What is told of a partition that cannot do without what is damaged. */
    static TaskMasterException ofPartition(int id, Throwable failure) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.INTERNAL,
                "partition %d: its stored data are damaged, and it is closed: %s".formatted(id, failure.getMessage()),
                null,
                failure);
    }

    /** Decodes a cell; if it cannot be, the exception names it. */
    static <T> T naming(Cell cell, Supplier<T> decode) {
        try {
            return decode.get();
        } catch (CorruptRecordException corrupt) {
            byte[] row = cell.key().row().unsafeArray();
            int partition = ((row[0] & 0xff) << Byte.SIZE) | (row[1] & 0xff);
            throw new CorruptRecordException("partition %d, table %s, row %s, column %d: %s"
                    .formatted(
                            partition,
                            cell.key().table(),
                            HexFormat.of().formatHex(row),
                            cell.key().column(),
                            corrupt.getMessage()));
        }
    }
}
