package io.taskmaster.error;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one exception of TaskMaster. Its {@link #code()} says what to do; its message is for humans and nobody parses it. */
public final class TaskMasterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient @Nullable Duration retryAfter;

    public TaskMasterException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    /**
     * @param retryAfter how long to wait before the same request is worth another try; only where the code advises a retry
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
     * An exception without a stack trace: for errors that travel (from the wire, or to it), where the trace would only show a
     * network thread, and for refusals that have to stay cheap under overload.
     */
    public static TaskMasterException withoutStackTrace(
            ErrorCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        return new TaskMasterException(code, message, retryAfter, cause, false);
    }

    public ErrorCode code() {
        return code;
    }

    /** How long to wait before a retry, where the server said so. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
