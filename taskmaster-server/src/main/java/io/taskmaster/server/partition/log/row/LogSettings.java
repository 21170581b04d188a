package io.taskmaster.server.partition.log.row;

import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.Store;

/**
 * The limits of a commit log. Immutable.
 *
 * @param maxRowBytes the largest row; larger atoms span several rows
 * @param maxRowsInFlight the limit of rows of a log in flight at once, counted from the first that is not durable; also
 *     the limit for all logs of a node together ({@code RowsInFlight})
 * @param maxTries the total number of tries of a read, or of a write of unknown outcome; see {@link StoreCalls}
 * @param scanBytes the approximate size of one scan of recovery
 * @param uncleanEnds the number of epochs not closed clean that the record of a partition lists before its rows are
 *     rewritten; it lists at most about twice as many ({@code ScrubRule})
 */
public record LogSettings(int maxRowBytes, int maxRowsInFlight, int maxTries, long scanBytes, int uncleanEnds) {

    /** Rows of 1 MiB, 8 in flight, 10 tries, scans of 4 MiB, 256 unclean ends. */
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

    /**
     * The size of a batch of fences against a live writer: large enough that the writer, however far ahead, meets one
     * of them.
     */
    public int fences() {
        return 2 * maxRowsInFlight;
    }

    public ScanLimit slice() {
        return new ScanLimit(Integer.MAX_VALUE, scanBytes);
    }
}
