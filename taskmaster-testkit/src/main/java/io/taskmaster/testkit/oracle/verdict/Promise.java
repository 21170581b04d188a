package io.taskmaster.testkit.oracle.verdict;

/** A promise of TaskMaster that a history can show to be broken. */
public enum Promise {
    /** A task whose enqueue was acknowledged is there until a client dequeues or deletes it. */
    NOTHING_LOST,
    /** A task that was dequeued is gone, and a (queue, PID) is there at most once. */
    NOTHING_DUPLICATED,
    /** Every task that is seen was enqueued in that queue, with that data and those headers. */
    NOTHING_UNEXPECTED,
    /** A task is not leased again before its lease has expired or was released. */
    NO_OVERLAPPING_LEASES,
    /** Only the newest lease of a task dequeues, renews or releases it. */
    NO_OLD_LEASE_ACCEPTED,
    /** A request that is in its right is not refused, such as one with the newest lease. */
    NO_WRONG_REFUSAL,
    /** A lease id is larger than those of all earlier leases of the same task. */
    LEASE_IDS_GROW,
    /** The attempt number counts the leases since the data were enqueued. */
    ATTEMPTS_COUNT,
    /** An update is applied wholly or not at all, in every state that a reader can see. */
    ALL_OR_NOTHING,
    /**
     * A PID that the server assigns is larger than all PIDs that it assigned before and whose tasks are still in the
     * queue.
     */
    FIFO,
    /** A lease passes over no available task of the same queue. */
    PID_ORDER,
    /** A lease comes back empty only if nothing is available. */
    AVAILABLE_IS_OFFERED,
    /** A task that was deleted with its queue does not come back. */
    DELETED_STAYS_DELETED,
    /** An update with a request id is applied once, and has the same reply whenever it is repeated. */
    REQUEST_IDS_APPLY_ONCE,
    /** A delayed task is neither leased nor shown as available before its not-before time. */
    NOT_EARLY,
    /** A lease takes nothing from a paused queue, and does not exceed a cap. */
    PAUSES_AND_CAPS,
    /** The sizes in replies to list, describe and delete calls are those of an instant of the call. */
    SIZES_ARE_EXACT,
    /**
     * At the end of a history that ends with a drain every task has left: nothing is left over, and nothing is missing.
     */
    DRAINED,
    /** Every reply fits its request, and some order of all calls explains it. */
    ANSWERS_FIT
}
