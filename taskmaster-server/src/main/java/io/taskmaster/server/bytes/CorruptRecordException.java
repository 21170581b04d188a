package io.taskmaster.server.bytes;

import org.jspecify.annotations.Nullable;

/**
 * The error of stored bytes that this version of TaskMaster cannot read: no version wrote them, or, with a
 * {@link LaterFormatException} as its cause, a later one did. The partition that reads them stops.
 */
public final class CorruptRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message) {
        this(message, null);
    }

    public CorruptRecordException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
