package io.taskmaster.harness.hbase;

/**
 * An exception for a development HBase that does not start, or is not in the expected state. The message has the
 * reason, and the end of a log if there is one.
 */
public final class HBaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HBaseException(String message) {
        super(message);
    }

    HBaseException(String message, Throwable cause) {
        super(message, cause);
    }
}
