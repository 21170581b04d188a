package io.taskmaster.testkit.oracle.search;

import java.util.EnumSet;
import java.util.Set;

/**
 * The circumstances in which one operation takes effect on one task. Immutable.
 *
 * @param earliest it takes effect no earlier, in microseconds on the clocks of the clients
 * @param latest it takes effect no later
 * @param slack the largest distance of the servers' clocks from those of the clients
 * @param activationLag the largest time after its not-before time during which a task is treated as delayed
 * @param leases the leases that may have taken the task
 * @param relaxed the rules that are waived
 */
record RelaxationWindow(
        long earliest, long latest, long slack, long activationLag, KeyLeases leases, Set<Relaxation> relaxed) {

    static final Set<Relaxation> STRICT = EnumSet.noneOf(Relaxation.class);

    RelaxationWindow at(long newEarliest, long newLatest) {
        return new RelaxationWindow(newEarliest, newLatest, slack, activationLag, leases, relaxed);
    }

    boolean isRelaxed(Relaxation relaxation) {
        return !relaxed.isEmpty() && relaxed.contains(relaxation);
    }

    boolean mayBeLive(TaskState state) {
        return switch (state.lease()) {
            case NONE -> false;
            case KNOWN -> earliest - slack < state.expiresLatest();
            case PHANTOM -> true;
        };
    }

    boolean mayBeUnleased(TaskState state) {
        return switch (state.lease()) {
            case NONE, PHANTOM -> true;
            case KNOWN -> latest + slack >= state.expiresEarliest();
        };
    }

    /** Returns whether no lease may keep the task from being leased. */
    boolean mayBeFree(TaskState state) {
        return mayBeUnleased(state) || isRelaxed(Relaxation.OVERLAP_LEASES);
    }

    boolean mayBeDue(TaskState state) {
        return latest + slack >= state.notBefore() || isRelaxed(Relaxation.IGNORE_DELAYS);
    }

    boolean mayBeDelayed(TaskState state) {
        return earliest - slack < state.notBefore() + activationLag && state.notBefore() != 0;
    }

    /** Returns whether so many further unobserved leases may have taken the task. */
    boolean mayBeLeasedUnseen(TaskState state, int times) {
        return times == 0
                || (times > 0
                        && state.isPresent()
                        && state.phantoms() + times <= leases.unseenBy(latest)
                        && mayBeUnleased(state)
                        && mayBeDue(state));
    }

    /** Returns whether so many unobserved leases may have taken the task before its last release. */
    boolean mayHaveBeenLeasedUnseen(TaskState state, int times) {
        return times > 0
                && state.lease() == TaskState.Lease.NONE
                && state.phantoms() + times <= leases.unseenBy(latest);
    }

    /** Returns whether no client saw the lease of this id: an unobserved lease may have it. */
    boolean isUnknown(long leaseId) {
        return leases.isUnknown(leaseId);
    }
}
