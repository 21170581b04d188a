package io.taskmaster.testkit.oracle;

import io.taskmaster.v1.PeekedTask;
import java.util.List;

/** What an operation means to one task. Immutable. */
sealed interface Effect {

    /** The elements of an update that name the task, in the order in which they are applied. */
    record Updated(List<Element> elements, Result result) implements Effect {}

    /** How an update ended. */
    enum Result {
        SUCCESS,
        /** Only renewals were applied. */
        REFUSED,
        UNKNOWN,
        /** At most renewals were applied. */
        AT_MOST_RENEWED
    }

    record Granted(long leaseId, long expires, int attempt, int payload) implements Effect {}

    /**
     * @param until when the lease expires or the delay ends
     */
    record SeenThere(PeekedTask.State state, int payload, int attempt, long until) implements Effect {}

    record SeenAbsent() implements Effect {}

    /** The queue was deleted. */
    record Deleted() implements Effect {}
}
