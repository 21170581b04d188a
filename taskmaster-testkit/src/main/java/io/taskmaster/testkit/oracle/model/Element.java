package io.taskmaster.testkit.oracle.model;

import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.Status;
import org.jspecify.annotations.Nullable;

/** One element of an update, as it concerns one task, with its status if a reply came. Immutable. */
public sealed interface Element {

    @Nullable
    Status status();

    /** A renewal of a lease. */
    record Renewal(long leaseId, long leaseMicros, @Nullable Status status) implements Element {}

    /** A release of a lease; a lease id of 0 releases any lease. */
    record Releasing(
            long leaseId,
            long notBefore,
            boolean untried,
            @Nullable Status status) implements Element {}

    /** A dequeue; a lease id of 0 needs no lease. */
    record Dequeuing(long leaseId, @Nullable Status status) implements Element {}

    /**
     * An enqueue.
     *
     * @param ifExists null if the server assigns the PID
     */
    record Enqueuing(
            int payload,
            long notBefore,
            @Nullable IfExists ifExists,
            @Nullable Status status) implements Element {}
}
