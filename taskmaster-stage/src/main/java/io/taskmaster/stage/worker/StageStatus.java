package io.taskmaster.stage.worker;

import java.util.Optional;

/**
 * A snapshot of one stage in one worker. Counters run since the worker started. Immutable.
 *
 * @param ready tasks that wait for a handler
 * @param running calls of the handler that have not returned
 * @param abandoned those of the running calls of which no outcome counts any more
 * @param maxRunning the present limit of calls at once
 * @param maxBatch the present limit of tasks in one call
 * @param settling tasks whose settlement is being committed
 * @param leased leases that arrived, including those of tasks that were released
 * @param done tasks that were dequeued, with or without a hand-off
 * @param handedOn tasks that were enqueued by hand-offs
 * @param retried tasks that are tried again
 * @param postponed tasks that were released for later without counting an attempt
 * @param dead tasks that became dead letters
 * @param lost tasks whose lease was lost, so that their outcome does not count here, or may not
 * @param timeouts calls of the handler that took too long
 * @param lastFailure the reason why a task was last tried again
 * @param failure the reason why the stage has FAILED, or has paused by itself
 * @param trouble the last call to the server that failed, in spite of its retries; absent if the server has answered
 *     since
 */
public record StageStatus(
        String stage,
        Phase phase,
        int ready,
        int running,
        int abandoned,
        int maxRunning,
        int maxBatch,
        int settling,
        long leased,
        long done,
        long handedOn,
        long retried,
        long postponed,
        long dead,
        long lost,
        long timeouts,
        Optional<String> lastFailure,
        Optional<String> failure,
        Optional<String> trouble) {

    /**
     * The phase of a stage. A stage begins as PAUSED, and a worker resumes it at once.
     *
     * <pre>{@code
     * phase           | event                                   | next     | effect
     * PAUSED          | resume                                  | RUNNING  | leases; its failure is cleared
     * RUNNING         | pause                                   | PAUSED   | no more leases; tasks that are held go on
     * RUNNING         | hand-off to a queue outside the targets | PAUSED   | failure set; waiting tasks released
     * RUNNING, PAUSED | drain                                   | DRAINING | waiting tasks released
     * DRAINING        | nothing held, no call, no handler       | STOPPED  | done
     * DRAINING        | deadline                                | DRAINING | handlers interrupted
     * DRAINING        | 3 s after the deadline                  | STOPPED  | leases that are left expire
     * any             | a step of the stage throws (a bug)      | FAILED   | waiting tasks released, others expire
     * }</pre>
     */
    public enum Phase {
        RUNNING,
        /** Leases nothing until it is resumed. */
        PAUSED,
        /** Leases nothing any more, and finishes the tasks that it holds. */
        DRAINING,
        STOPPED,
        /**
         * Stopped by a bug of this library or of an object it was passed. It leases nothing any more, and its leases
         * expire.
         */
        FAILED
    }
}
