package io.taskmaster.testkit.oracle;

import java.util.EnumSet;
import java.util.Set;

/**
 * What holds while one operation takes effect on one task. Immutable.
 *
 * @param earliest it takes effect no earlier, in microseconds on the clocks of the clients
 * @param latest it takes effect no later
 * @param slack how far the clocks of the servers may be from those
 * @param activationLag how late delays may end
 * @param leases who may have leased the task
 * @param relaxed the rules that are not insisted on
 */
record Window(long earliest, long latest, long slack, long activationLag, KeyLeases leases, Set<Relaxation> relaxed) {

    static final Set<Relaxation> STRICT = EnumSet.noneOf(Relaxation.class);

    Window at(long newEarliest, long newLatest) {
        return new Window(newEarliest, newLatest, slack, activationLag, leases, relaxed);
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

    /** Whether nobody's lease keeps others from it. */
    boolean mayBeFree(TaskState state) {
        return mayBeUnleased(state) || isRelaxed(Relaxation.OVERLAP_LEASES);
    }

    boolean mayBeDue(TaskState state) {
        return latest + slack >= state.notBefore() || isRelaxed(Relaxation.IGNORE_DELAYS);
    }

    boolean mayBeDelayed(TaskState state) {
        return earliest - slack < state.notBefore() + activationLag && state.notBefore() != 0;
    }

    /** Whether so many leases more may have taken the task without anybody being told. */
    boolean mayBeTakenUnseen(TaskState state, int times) {
        return times == 0
                || (times > 0
                        && state.isPresent()
                        && state.phantoms() + times <= leases.unseenBy(latest)
                        && mayBeUnleased(state)
                        && mayBeDue(state));
    }

    /** Whether so many leases may have taken it without anybody being told, before it was released. */
    boolean mayHaveBeenTakenUnseen(TaskState state, int times) {
        return times > 0
                && state.lease() == TaskState.Lease.NONE
                && state.phantoms() + times <= leases.unseenBy(latest);
    }

    /** Whether the id is of no lease that anybody was told of: it may be one that was told and not recorded. */
    boolean isUnheardOf(long leaseId) {
        return leases.isUnheardOf(leaseId);
    }
}
