package io.taskmaster.server.bytes;

/** The error of stored bytes that no version of this program wrote. The partition that reads them stops. */
public final class CorruptRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message) {
        super(message);
    }
}
