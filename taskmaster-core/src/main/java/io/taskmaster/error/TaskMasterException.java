package io.taskmaster.error;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The only exception type of TaskMaster. Its {@link #code()} determines the reaction. Its message is for people, and
 * programs must not parse it.
 */
public final class TaskMasterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient @Nullable Duration retryAfter;

    /** Creates an exception without a delay and a cause. */
    public TaskMasterException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * Creates an exception.
     *
     * @param retryAfter the delay before a retry of the same request; null unless the code advises a retry
     */
    public TaskMasterException(
            ErrorCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        this(code, message, retryAfter, cause, true);
    }

    private TaskMasterException(
            ErrorCode code,
            String message,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause,
            boolean stackTrace) {
        super(message, cause, true, stackTrace);
        this.code = code;
        this.retryAfter = retryAfter;
    }

    /**
     * Creates an exception without a stack trace. For errors that are read from the wire or sent on it, where the trace
     * would only show a network thread, and for refusals, which must be cheap under overload.
     */
    public static TaskMasterException withoutStackTrace(
            ErrorCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        return new TaskMasterException(code, message, retryAfter, cause, false);
    }

    /** The error code. */
    public ErrorCode code() {
        return code;
    }

    /** The delay before a retry, if the server named one. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
