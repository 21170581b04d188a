package io.taskmaster.server.engine.command;

import io.taskmaster.command.Command.Payload;

/**
 * The data of an enqueue, all of which comes and goes together. Immutable.
 *
 * @param enqueuedMillis the time of the enqueue
 * @param notBeforeMillis from when on it may be leased; 0: at once. Such a task is stored in another place than those
 *     that may be leased, so that scans for these never pass over it
 */
public record Enqueued(Payload payload, long enqueuedMillis, long notBeforeMillis) {

    /** Returns the same, to be leased from another instant on; 0: at once. */
    public Enqueued notBefore(long millis) {
        return new Enqueued(payload, enqueuedMillis, millis);
    }

    /** Returns the same as of now: a delay that is over is none. */
    public Enqueued asOf(long nowMillis) {
        return notBeforeMillis > nowMillis ? this : notBefore(0);
    }
}
