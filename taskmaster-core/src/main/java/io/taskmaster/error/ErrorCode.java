package io.taskmaster.error;

/**
 * Every error that TaskMaster answers, by the reason that its {@code google.rpc.ErrorInfo} carries. What happened is for humans;
 * {@link #advice()} is for programs. Expected outcomes (an empty queue, a lost lease) are replies, not errors.
 */
public enum ErrorCode {
    /** A request that can never succeed as it is; the message names the field, its value and what was expected. */
    INVALID_FIELD(Advice.CALLER_FAULT),
    /** A PID is longer than the limit. */
    PID_TOO_LONG(Advice.CALLER_FAULT),
    /** A PID of the form that the server assigns is so large that no later one could follow it. */
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
    /** A lease inside a batch wants to wait for its first task. */
    WAIT_IN_BATCH(Advice.CALLER_FAULT),
    /** A lease asks for too many tasks. */
    LEASE_TOO_LARGE(Advice.CALLER_FAULT),
    /** A lease length or a wait is out of its range. */
    DURATION_OUT_OF_RANGE(Advice.CALLER_FAULT),
    /** A queue name pattern is not valid RE2. */
    BAD_PATTERN(Advice.CALLER_FAULT),
    /** To match a queue name pattern against the names that are there is more work than the server does for one request. */
    PATTERN_TOO_COSTLY(Advice.CALLER_FAULT),
    /** A selector chooses nothing where something must be chosen. */
    EMPTY_SELECTOR(Advice.CALLER_FAULT),
    /** A page token that this server did not make. */
    BAD_PAGE_TOKEN(Advice.CALLER_FAULT),
    /** The body of an HTTP request is not one JSON document. */
    BAD_JSON(Advice.CALLER_FAULT),
    /** The body of an HTTP request is larger than the limit. */
    BODY_TOO_LARGE(Advice.CALLER_FAULT),
    /** An HTTP request that a web page of somebody else sent, or that names a host which this server is not. */
    FOREIGN_ORIGIN(Advice.CALLER_FAULT),
    /** The server serves only those whom it knows, and does not know who asks. */
    UNAUTHENTICATED(Advice.NOT_ALLOWED),
    /** The server knows who asks, and they may not do this. */
    PERMISSION_DENIED(Advice.NOT_ALLOWED),
    /** A field of the contract that this version does not serve yet; the message names it. */
    NOT_SERVED(Advice.NOT_SERVED),
    /** The node has more work than it takes on; the error says after which delay to come back. */
    OVERLOADED(Advice.RETRY_LATER),
    /** No more request ids can be remembered until older ones leave the deduplication window; nothing was done. */
    DEDUP_FULL(Advice.RETRY_LATER),
    /** The request needs a queue that is not there, and the node holds as many as it takes; nothing was done. */
    TOO_MANY_QUEUES(Advice.RETRY_LATER),
    /** The store has no room for more until there is space again, or tasks are dequeued; nothing was done. */
    STORE_FULL(Advice.RETRY_LATER),
    /** The partition is being opened or recovered; nothing was done. */
    PARTITION_OPENING(Advice.RETRY_LATER),
    /** The node is shutting down, or was shut down; nothing was done. */
    SHUTTING_DOWN(Advice.RETRY_LATER),
    /** The update may or may not have been committed; look, or retry where a retry is harmless by itself. */
    OUTCOME_UNKNOWN(Advice.OUTCOME_UNKNOWN),
    /** What was asked is safe to ask again: it changes nothing and could not be answered. */
    READ_FAILED(Advice.RETRY_LATER),
    /** The client gave up waiting; whether the server did its part is not known. */
    DEADLINE_EXCEEDED(Advice.OUTCOME_UNKNOWN),
    /** The reply is larger than the client takes; what the request did is done, and the same request would end the same way. */
    REPLY_TOO_LARGE(Advice.OUTCOME_UNKNOWN),
    /** No connection to the server could be had; nothing was sent. */
    NOT_CONNECTED(Advice.RETRY_LATER),
    /** A broken invariant or corrupt data: an operator has to look at the log of the node. */
    INTERNAL(Advice.SERVER_FAULT);

    /** What a program does about an error. */
    public enum Advice {
        /** Change the request: it can never succeed. */
        CALLER_FAULT,
        /** Nothing was done: show a token or a certificate that may do this; the request itself may be fine. */
        NOT_ALLOWED,
        /** Do without the field, or upgrade the server. */
        NOT_SERVED,
        /** Nothing was done: the same request may be sent again, after a delay. */
        RETRY_LATER,
        /** It may have been done: repeat only what is harmless when done twice. */
        OUTCOME_UNKNOWN,
        /** Tell an operator. */
        SERVER_FAULT
    }

    private final Advice advice;

    ErrorCode(Advice advice) {
        this.advice = advice;
    }

    public Advice advice() {
        return advice;
    }
}
