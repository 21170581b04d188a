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
    private final transient @Nullable PartitionOwner owner;

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
        this(code, message, retryAfter, null, cause, true);
    }

    private TaskMasterException(
            ErrorCode code,
            String message,
            @Nullable Duration retryAfter,
            @Nullable PartitionOwner owner,
            @Nullable Throwable cause,
            boolean stackTrace) {
        super(message, cause, true, stackTrace);
        this.code = code;
        this.retryAfter = retryAfter;
        this.owner = owner;
    }

    /**
     * Creates an exception without a stack trace. For errors that are read from the wire or sent on it, where the trace
     * would only show a network thread, and for refusals, which must be cheap under overload.
     */
    public static TaskMasterException withoutStackTrace(
            ErrorCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        return new TaskMasterException(code, message, retryAfter, null, cause, false);
    }

    /**
     * Creates the exception of a request for a partition that another node owns, without a stack trace.
     *
     * @param message for people
     * @param retryAfter the delay before a retry of the same request at the same node; null: at once, at the owner
     */
    public static TaskMasterException notOwner(PartitionOwner owner, String message, @Nullable Duration retryAfter) {
        return new TaskMasterException(ErrorCode.NOT_OWNER, message, retryAfter, owner, null, false);
    }

    /** The error code. */
    public ErrorCode code() {
        return code;
    }

    /** The delay before a retry, if the server named one. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The owner of the partition, if the code is {@link ErrorCode#NOT_OWNER} and the server named it. */
    public Optional<PartitionOwner> owner() {
        return Optional.ofNullable(owner);
    }
}
