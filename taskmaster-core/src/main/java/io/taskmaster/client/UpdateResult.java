package io.taskmaster.client;

import io.taskmaster.model.Pid;
import java.util.List;

/**
 * The result of an {@link Update}: one status per element, in its order. Immutable.
 *
 * @param success whether the update was applied; if not, only its valid renewals were, and the statuses give the reason
 * @param assignedPids the PID of each enqueue, as it is queued; empty if the update was refused
 */
public record UpdateResult(
        boolean success,
        List<Status> enqueues,
        List<Status> dequeues,
        List<Status> renewals,
        List<Status> releases,
        List<Pid> assignedPids) {

    public UpdateResult {
        enqueues = List.copyOf(enqueues);
        dequeues = List.copyOf(dequeues);
        renewals = List.copyOf(renewals);
        releases = List.copyOf(releases);
        assignedPids = List.copyOf(assignedPids);
    }

    /** The status of one element; the names are those of the contract. */
    public enum Status {
        OK,
        /** The PID of an enqueue was queued already, and the queued task stays. */
        COLLAPSED,
        /** The PID of an enqueue with FAIL was queued already. */
        ALREADY_EXISTS,
        /** The PID of an enqueue with REPLACE was leased. */
        LEASED,
        /** The task does not exist, or not any more. */
        NOT_FOUND,
        /** The task has since been leased to another worker, or released. */
        LEASE_LOST,
        /** A renewal was too late. */
        LEASE_EXPIRED,
        /** The element was valid, but another one refused the update. */
        ABORTED
    }
}
