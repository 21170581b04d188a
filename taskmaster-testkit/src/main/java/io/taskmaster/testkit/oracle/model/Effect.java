package io.taskmaster.testkit.oracle.model;

import io.taskmaster.v1.PeekedTask;
import java.util.List;

/** The effect of an operation on one task, or its observation of the task. Immutable. */
public sealed interface Effect {

    /** The elements of an update that name the task, in the order in which they are applied. */
    record Updated(List<Element> elements, Result result) implements Effect {}

    /** The outcome of an update. */
    enum Result {
        SUCCESS,
        /** Only renewals were applied. */
        REFUSED,
        UNKNOWN,
        /** At most renewals were applied. */
        AT_MOST_RENEWED
    }

    /** A lease of the task, with the payload that it returned. */
    record Granted(long leaseId, long expires, int attempt, int payload) implements Effect {}

    /**
     * A task as a read shows it.
     *
     * @param until the time at which the lease expires or the delay ends
     */
    record SeenThere(PeekedTask.State state, int payload, int attempt, long until) implements Effect {}

    /** An observation that the task is not in its queue. */
    record SeenAbsent() implements Effect {}

    /** The deletion of the queue. */
    record Deleted() implements Effect {}
}
