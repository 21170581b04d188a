package io.taskmaster.server.partition.log.row;

import org.jspecify.annotations.Nullable;

/**
 * A corruption of the log or of the partition record: bytes that no owner wrote. The message gives the location. The
 * partition stays closed until an operator has intervened, since reading on would present a loss as the end of the log.
 */
public final class CorruptLogException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptLogException(String message) {
        this(message, null);
    }

    public CorruptLogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
