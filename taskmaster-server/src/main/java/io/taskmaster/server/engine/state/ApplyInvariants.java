package io.taskmaster.server.engine.state;

import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;

/**
 * The invariants that each atom is checked against while it is applied: before, so that nothing impossible gets into
 * the state or the log, and after, so that a state that does not add up serves no further request. A breach is a bug.
 * It ends the epoch, and the next one starts from what is durable. Stateless.
 */
final class ApplyInvariants {

    private ApplyInvariants() {}

    /** Checks that tickets grow. */
    static void ticketGrows(long ticket, long lastTicket) {
        if (ticket <= lastTicket) {
            throw new IllegalStateException("ticket: %d (expected: above %d)".formatted(ticket, lastTicket));
        }
    }

    /** Checks the sizes that a queue is to have. */
    static void sizesAreNotNegative(QueueChange change) {
        Sizes sizes = change.sizes();
        if (sizes.available() < 0 || sizes.leased() < 0 || sizes.delayed() < 0) {
            throw new IllegalStateException("%s: %s (expected: none negative)".formatted(change.queue(), sizes));
        }
    }

    /**
     * Checks that a lease is granted by this atom, or is the one that the task has.
     *
     * @param task as it was before
     */
    static void leaseIdMatches(Task task, Grant grant, long ticket) {
        Grant held = task.grant;
        // In a replay the lease that a renewal prolongs may be older than what is known of the task.
        boolean known = held == null || grant.leaseId() == held.leaseId();
        if (grant.leaseId() != ticket && (grant.leaseId() > ticket || !known)) {
            throw new IllegalStateException("%s of %s: lease %d (expected: %d or %s)"
                    .formatted(
                            task.pid,
                            task.queue.key,
                            grant.leaseId(),
                            ticket,
                            held == null ? "an earlier one" : held.leaseId()));
        }
    }

    /** Checks that no more is counted of a queue than its sizes say. */
    static void countsFitSizes(QueueState queue) {
        if (queue.live > queue.total()
                || queue.liveDelayed > queue.delayed
                || queue.expired > queue.leased
                || queue.due > queue.delayed) {
            throw new IllegalStateException(
                    "%s: %d in memory, of them %d delayed, %d expired, %d due (expected: no more than %s)"
                            .formatted(
                                    queue.key, queue.live, queue.liveDelayed, queue.expired, queue.due, queue.sizes()));
        }
    }
}
