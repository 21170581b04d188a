package io.taskmaster.stage.worker;

import java.util.Optional;

/**
 * What a stage is doing in one worker, at one moment, and has done since it started. Immutable.
 *
 * @param ready tasks that wait for a handler
 * @param running calls of the handler
 * @param abandoned calls of the handler, of those that run, that nobody waits for any more and that have not returned
 * @param maxRunning how many of those that run there may be, at present
 * @param maxBatch how many tasks each of them gets at most, at present
 * @param settling tasks whose outcome is being committed
 * @param leased leases of tasks that came to it, also of those that it gave back
 * @param done tasks that were dequeued, handed on or not
 * @param handedOn tasks that were enqueued for that
 * @param retried tasks that were released for another attempt
 * @param postponed tasks that were released for later, which counts as no attempt
 * @param dead tasks that became dead letters
 * @param lost tasks whose lease was lost, so that their outcome does not count here; or of which it is not known whether it did
 * @param timeouts calls of the handler that took too long
 * @param lastFailure why a task was last tried again
 * @param failure why it has FAILED, or has paused by itself
 * @param trouble the last call to the server that failed, for all its retries; absent: the server has answered since
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

    /** Where a stage is in its life. */
    public enum Phase {
        RUNNING,
        /** Leases nothing until it is resumed. */
        PAUSED,
        /** Leases nothing any more, and finishes what it has. */
        DRAINING,
        STOPPED,
        /** Stopped by a bug of this library or of what it was handed: it leases nothing any more, and its leases end. */
        FAILED
    }
}
