package io.taskmaster.server.engine.index;

import io.taskmaster.command.Verdict;
import io.taskmaster.server.engine.state.QueueState;

/**
 * The record of an unattended queue: tasks wait in it and none is leased. Single-threaded: owned by
 * {@link UnattendedWatch}.
 */
final class UnattendedQueue {

    final QueueState queue;

    /** The start of that state, as of a look: that of the first look, or of the first one after the last lease. */
    long sinceMillis;

    /** The number of leases that the queue had granted by then. */
    long leases;

    /** Set if it was paused then. */
    boolean isPaused;

    Verdict verdict = Verdict.FINE;

    /** The number of available tasks that its family counts for it. */
    long tasks;

    /** The time at which its verdict changes if nothing happens; {@link Long#MAX_VALUE}: never. */
    long deadlineMillis = Long.MAX_VALUE;

    UnattendedQueue(QueueState queue) {
        this.queue = queue;
    }
}
