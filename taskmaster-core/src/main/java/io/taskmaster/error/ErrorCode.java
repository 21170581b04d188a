package io.taskmaster.error;

/**
 * The codes of all errors of TaskMaster; each is the reason in the {@code google.rpc.ErrorInfo} of a reply. The code
 * itself is for people; {@link #advice()} is for programs. Expected outcomes, such as an empty queue or a lost lease,
 * are replies and not errors.
 */
public enum ErrorCode {
    /** A request that can never succeed as it is; the message names the field, its value and the expected one. */
    INVALID_FIELD(Advice.CALLER_FAULT),
    /** A PID is longer than the limit. */
    PID_TOO_LONG(Advice.CALLER_FAULT),
    /** A PID of the form that the server assigns, so large that no later one could follow it. */
    PID_OUT_OF_RANGE(Advice.CALLER_FAULT),
    /** A queue name is empty. */
    QUEUE_NAME_EMPTY(Advice.CALLER_FAULT),
    /** A queue or group name is longer than the limit. */
    NAME_TOO_LONG(Advice.CALLER_FAULT),
    /** The data of one task is larger than the limit. */
    TASK_TOO_LARGE(Advice.CALLER_FAULT),
    /** A task carries too many headers, or too many bytes of them. */
    HEADERS_TOO_LARGE(Advice.CALLER_FAULT),
    /** An update has too many elements or bytes. */
    UPDATE_TOO_LARGE(Advice.CALLER_FAULT),
    /** A request id is longer than the limit. */
    REQUEST_ID_TOO_LONG(Advice.CALLER_FAULT),
    /** A batch has too many operations or bytes. */
    BATCH_TOO_LARGE(Advice.CALLER_FAULT),
    /** A lease inside a batch is a long poll. */
    WAIT_IN_BATCH(Advice.CALLER_FAULT),
    /** A lease asks for too many tasks. */
    LEASE_TOO_LARGE(Advice.CALLER_FAULT),
    /** A lease length or a wait is out of its range. */
    DURATION_OUT_OF_RANGE(Advice.CALLER_FAULT),
    /** A queue name pattern is not valid RE2. */
    BAD_PATTERN(Advice.CALLER_FAULT),
    /** Matching a queue name pattern against the existing names costs more than the server allows for one request. */
    PATTERN_TOO_COSTLY(Advice.CALLER_FAULT),
    /** A selector selects nothing where it must select something. */
    EMPTY_SELECTOR(Advice.CALLER_FAULT),
    /** A page token that this server did not issue. */
    BAD_PAGE_TOKEN(Advice.CALLER_FAULT),
    /** The body of an HTTP request is not one JSON document. */
    BAD_JSON(Advice.CALLER_FAULT),
    /** The body of an HTTP request is larger than the limit. */
    BODY_TOO_LARGE(Advice.CALLER_FAULT),
    /** An HTTP request from a web page of another origin, or one that names a host which this server is not. */
    FOREIGN_ORIGIN(Advice.CALLER_FAULT),
    /** The server requires authentication, and the credentials are missing or unknown. */
    UNAUTHENTICATED(Advice.NOT_ALLOWED),
    /** The caller is authenticated but has no permission for this request. */
    PERMISSION_DENIED(Advice.NOT_ALLOWED),
    /** A method of the contract that this version does not have; the message names it. */
    NOT_SERVED(Advice.NOT_SERVED),
    /** The node refuses the request by admission control; the error names the delay before a retry. */
    OVERLOADED(Advice.RETRY_LATER),
    /** No further request ids can be remembered until older ones leave the dedup window; nothing was done. */
    DEDUP_FULL(Advice.RETRY_LATER),
    /**
     * The request needs a queue that does not exist, and the node holds its maximum number of queues; nothing was done.
     */
    TOO_MANY_QUEUES(Advice.RETRY_LATER),
    /** The store has no free space until some is added or tasks are dequeued; nothing was done. */
    STORE_FULL(Advice.RETRY_LATER),
    /** The partition is being opened or recovered; nothing was done. */
    PARTITION_OPENING(Advice.RETRY_LATER),
    /** Another node owns the partition; nothing was done. The error names the owner, as far as the node knows it. */
    NOT_OWNER(Advice.RETRY_LATER),
    /** The node is shutting down, or was shut down; nothing was done. */
    SHUTTING_DOWN(Advice.RETRY_LATER),
    /** The update may or may not have been committed. Look, or retry if a retry is harmless by itself. */
    OUTCOME_UNKNOWN(Advice.OUTCOME_UNKNOWN),
    /** A read could not be answered; it changes nothing, so it is safe to repeat. */
    READ_FAILED(Advice.RETRY_LATER),
    /** The client's deadline passed; the server may or may not have done the request. */
    DEADLINE_EXCEEDED(Advice.OUTCOME_UNKNOWN),
    /**
     * The reply is larger than the client accepts. The request was done, and the same request would end in the same
     * way.
     */
    REPLY_TOO_LARGE(Advice.OUTCOME_UNKNOWN),
    /** No connection to the server could be made; nothing was sent. */
    NOT_CONNECTED(Advice.RETRY_LATER),
    /** A broken invariant or corrupt data: an operator has to read the log of the node. */
    INTERNAL(Advice.SERVER_FAULT);

    /** The advice to a program on how to react to an error. */
    public enum Advice {
        /** Change the request: it can never succeed. */
        CALLER_FAULT,
        /** Nothing was done: use a token or a certificate with the permission; the request itself may be valid. */
        NOT_ALLOWED,
        /** Omit the field, or upgrade the server. */
        NOT_SERVED,
        /** Nothing was done: the same request may be sent again, after a delay. */
        RETRY_LATER,
        /** The request may have been done: repeat it only if that is harmless. */
        OUTCOME_UNKNOWN,
        /** Report it to an operator. */
        SERVER_FAULT
    }

    private final Advice advice;

    ErrorCode(Advice advice) {
        this.advice = advice;
    }

    /** The advice on how to react. */
    public Advice advice() {
        return advice;
    }
}
