package io.taskmaster.testkit.oracle;

/** What TaskMaster promises and a history can show to be broken. */
public enum Promise {
    /** What was acknowledged is there until somebody dequeues or deletes it. */
    NOTHING_LOST,
    /** What was dequeued is gone, and a (queue, PID) is there at most once. */
    NOTHING_DUPLICATED,
    /** Every task that is seen was enqueued by somebody, in that queue, with that data and those headers. */
    NOTHING_UNEXPECTED,
    /** A task is leased to nobody else before its lease has expired or was given up. */
    NO_OVERLAPPING_LEASES,
    /** Only the newest lease of a task dequeues, renews or releases it. */
    NO_OLD_LEASE_ACCEPTED,
    /** The holder of the newest lease is not refused, nor is anybody else who is in the right. */
    NO_WRONG_REFUSAL,
    /** A lease id is larger than those of all earlier leases of the same task. */
    LEASE_IDS_GROW,
    /** The attempt number counts the leases since the data came. */
    ATTEMPTS_COUNT,
    /** An update is applied wholly or not at all, in every state that a reader can see. */
    ALL_OR_NOTHING,
    /** A PID that the server assigns is larger than those that the queue holds and that it assigned before. */
    FIFO,
    /** A lease passes over no available task of the same queue. */
    PID_ORDER,
    /** A lease comes back empty only where nothing is available. */
    AVAILABLE_IS_OFFERED,
    /** What was deleted with its queue does not come back. */
    DELETED_STAYS_DELETED,
    /** An update with a request id is applied once, and answered the same whenever it is repeated. */
    REQUEST_IDS_APPLY_ONCE,
    /** A delayed task is leased to nobody, and shown as available to nobody, before its time. */
    NOT_EARLY,
    /** Nothing is leased from a paused queue, nor beyond a cap. */
    PAUSES_AND_CAPS,
    /** Sizes that are listed, described or told of deleted queues are those of an instant of the call. */
    SIZES_ARE_EXACT,
    /** At the end of a history that ends with a drain every task has left: nothing is left over, nothing is missing. */
    DRAINED,
    /** Every answer fits its request, and some order of all calls explains it. */
    ANSWERS_FIT
}
