package io.taskmaster.server.engine;

import io.taskmaster.server.engine.flow.Verdict;

/** A queue in which tasks wait and none is leased. Single-threaded: owned by {@link Vigil}. */
final class Unattended {

    final QueueState queue;

    /** Since when, as of a look: that of the first look, or of the first one after the last lease. */
    long sinceMillis;

    /** How many leases the queue had given by then. */
    long leases;

    /** Whether it was paused then. */
    boolean isPaused;

    Verdict verdict = Verdict.FINE;

    /** Available tasks that its family counts for it. */
    long tasks;

    /** When it gets another verdict if nothing happens; {@link Long#MAX_VALUE}: never. */
    long deadlineMillis = Long.MAX_VALUE;

    Unattended(QueueState queue) {
        this.queue = queue;
    }
}
