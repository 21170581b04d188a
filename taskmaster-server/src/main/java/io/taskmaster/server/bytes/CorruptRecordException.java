package io.taskmaster.server.bytes;

/** Stored bytes that no version of this program wrote. The partition that meets them stops. */
public final class CorruptRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message) {
        super(message);
    }
}
