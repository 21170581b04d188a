package io.taskmaster.testkit.hbase;

/** A development HBase that does not start, or is not what it should be; the message says why, and shows the end of a log if there is one. */
public final class HBaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HBaseException(String message) {
        super(message);
    }

    HBaseException(String message, Throwable cause) {
        super(message, cause);
    }
}
