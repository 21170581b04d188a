package io.taskmaster.client;

import io.taskmaster.model.Pid;
import java.util.List;

/**
 * What became of an {@link Update}: one status per element, in its order. Immutable.
 *
 * @param success false: nothing but valid renewals was applied, and the statuses say why
 * @param assignedPids one per enqueue, the PID under which it is queued; empty when refused
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

    /** How one element fared; the words are those of the contract. */
    public enum Status {
        OK,
        /** An enqueue found its PID taken, and left what is there. */
        COLLAPSED,
        /** An enqueue with FAIL found its PID taken. */
        ALREADY_EXISTS,
        /** An enqueue with REPLACE found its PID leased. */
        LEASED,
        /** There is no such task, or none any more. */
        NOT_FOUND,
        /** The task has been leased to somebody else, or released, since. */
        LEASE_LOST,
        /** A renewal came too late. */
        LEASE_EXPIRED,
        /** It would have been applied, but another element refused the update. */
        ABORTED
    }
}
