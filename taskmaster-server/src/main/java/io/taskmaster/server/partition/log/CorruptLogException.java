package io.taskmaster.server.partition.log;

import org.jspecify.annotations.Nullable;

/**
 * The log or the partition record holds what no owner ever wrote; the message says where. The partition stays closed until an
 * operator has looked: reading on would present a loss as the end of the log.
 */
public final class CorruptLogException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CorruptLogException(String message) {
        this(message, null);
    }

    CorruptLogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
