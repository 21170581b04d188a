package io.taskmaster.server.partition.log;

import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.Store;

/**
 * The limits of a commit log. Immutable.
 *
 * @param maxRowBytes the largest row; larger atoms span several
 * @param maxRowsInFlight how many rows of a log may be on their way at once, counted from the first that is not durable; and of all logs of a
 *     node together ({@link RowsInFlight})
 * @param maxTries how often a read, or a write of unknown outcome, is tried, all told; see {@link StoreCalls}
 * @param scanBytes about how much recovery reads at a time
 * @param uncleanEnds so many epochs that were not closed clean does the record of a partition name before its rows are rewritten, and
 *     twice as many at most ({@link ScrubRule})
 */
public record LogSettings(int maxRowBytes, int maxRowsInFlight, int maxTries, long scanBytes, int uncleanEnds) {

    /** Rows of 1 MB, 8 in flight. */
    public static final LogSettings DEFAULT = new LogSettings(1 << 20, 8, 10, 4 << 20, 256);

    public LogSettings {
        if (maxRowBytes < LogRowCodec.MIN_ROW_BYTES || maxRowBytes > Store.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("maxRowBytes: %d (expected: %d to %d)"
                    .formatted(maxRowBytes, LogRowCodec.MIN_ROW_BYTES, Store.MAX_VALUE_BYTES));
        }
        if (maxRowsInFlight < 1 || maxTries < 1 || scanBytes < 1 || uncleanEnds < 1) {
            throw new IllegalArgumentException(
                    "log settings: %d rows in flight, %d tries, %d bytes, %d unclean ends (expected: at least 1)"
                            .formatted(maxRowsInFlight, maxTries, scanBytes, uncleanEnds));
        }
    }

    /** How many fences are put at once before a writer that lives: enough that, however far ahead, it runs into one of them. */
    int fences() {
        return 2 * maxRowsInFlight;
    }

    ScanLimit slice() {
        return new ScanLimit(Integer.MAX_VALUE, scanBytes);
    }
}
