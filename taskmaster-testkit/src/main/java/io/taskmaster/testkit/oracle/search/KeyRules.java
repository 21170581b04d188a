package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.model.Effect;
import io.taskmaster.testkit.oracle.model.Effect.Deleted;
import io.taskmaster.testkit.oracle.model.Effect.Granted;
import io.taskmaster.testkit.oracle.model.Effect.Result;
import io.taskmaster.testkit.oracle.model.Effect.SeenAbsent;
import io.taskmaster.testkit.oracle.model.Effect.SeenThere;
import io.taskmaster.testkit.oracle.model.Effect.Updated;
import io.taskmaster.testkit.oracle.model.Element;
import io.taskmaster.testkit.oracle.model.Element.Renewal;
import io.taskmaster.testkit.oracle.model.Payloads;
import io.taskmaster.testkit.oracle.search.ElementRules.Step;
import io.taskmaster.testkit.oracle.search.TaskState.Lease;
import io.taskmaster.v1.Status;
import java.util.List;

/**
 * The transition rules of a task: every state that an operation may leave behind, or none if it cannot have happened in
 * that state. Stateless.
 */
final class KeyRules {

    private KeyRules() {}

    /** Appends the states that may follow. */
    static void apply(TaskState state, Effect effect, RelaxationWindow relaxationWindow, List<TaskState> next) {
        switch (effect) {
            case Updated updated -> update(state, state, updated, 0, relaxationWindow, next);
            case Granted granted -> grant(state, granted, relaxationWindow, next);
            case SeenThere seen -> checkSeen(state, seen, relaxationWindow, next);
            case SeenAbsent absent -> {
                if (!state.isPresent() || relaxationWindow.isRelaxed(Relaxation.VANISH)) {
                    next.add(state.absent());
                }
            }
            case Deleted deleted -> {
                next.add(state.absent());
                if (relaxationWindow.isRelaxed(Relaxation.SKIP_DELETES)) {
                    next.add(state);
                }
            }
        }
    }

    /**
     * Applies the elements from the given index on.
     *
     * @param draft the state if the update succeeds
     * @param refused the state if the update is refused: only renewals have been applied
     */
    private static void update(
            TaskState draft,
            TaskState refused,
            Updated update,
            int at,
            RelaxationWindow relaxationWindow,
            List<TaskState> next) {
        if (at == update.elements().size()) {
            next.add(update.result() == Result.SUCCESS || update.result() == Result.UNKNOWN ? draft : refused);
            return;
        }
        Element element = update.elements().get(at);
        boolean renewal = element instanceof Renewal;
        if (!renewal && update.result() == Result.AT_MOST_RENEWED) {
            next.add(refused);
            return;
        }
        for (Step step : ElementRules.steps(draft, element, relaxationWindow)) {
            boolean contradicts = !renewal && step.refuses() && update.result() == Result.SUCCESS;
            if (contradicts || !isReportable(step.status(), element, update.result())) {
                continue;
            }
            if (renewal) {
                update(step.after(), step.after(), update, at + 1, relaxationWindow, next);
            } else {
                // An unobserved lease that the first element presumes stays even if the update is refused.
                TaskState after = draft.equals(refused) ? step.before() : refused;
                // A refused element ends an update of unknown outcome: nothing but its renewals is applied.
                if (step.refuses() && update.result() == Result.UNKNOWN) {
                    next.add(after);
                } else {
                    update(
                            step.refuses() ? step.before() : step.after(),
                            after,
                            update,
                            at + 1,
                            relaxationWindow,
                            next);
                }
            }
        }
        if (!renewal && update.result() == Result.UNKNOWN && at > 0) {
            // The update was refused because of another task. Its renewals stay.
            next.add(refused);
        }
    }

    private static boolean isReportable(Status status, Element element, Result result) {
        Status reported = element.status();
        if (reported == null) {
            return true;
        }
        if (reported == Status.ABORTED && result == Result.REFUSED && !(element instanceof Renewal)) {
            return status == Status.OK || status == Status.COLLAPSED;
        }
        return status == reported;
    }

    private static void grant(TaskState state, Granted grant, RelaxationWindow relaxationWindow, List<TaskState> next) {
        TaskState from = state.isPresent() || !relaxationWindow.isRelaxed(Relaxation.RESURRECT)
                ? state
                : state.enqueued(grant.payload(), 0).granted(0);
        boolean resurrected = from.isPresent() && !state.isPresent();
        boolean sameTask = from.isPresent()
                && (from.payload() == grant.payload() || relaxationWindow.isRelaxed(Relaxation.CHANGE_DATA));
        // It is negative if the server has lost attempts, which mayBeLeasedUnseen() rules out.
        int unseen = grant.attempt() - 1 - from.attempt();
        boolean counted = relaxationWindow.mayBeLeasedUnseen(from, unseen)
                || resurrected
                || relaxationWindow.isRelaxed(Relaxation.MISCOUNT_ATTEMPTS);
        boolean newer = Long.compareUnsigned(grant.leaseId(), from.highestLeaseId()) > 0
                || relaxationWindow.isRelaxed(Relaxation.LEASE_IDS_IN_ANY_ORDER);
        boolean free = relaxationWindow.mayBeFree(from);
        if (sameTask && counted && newer && free && relaxationWindow.mayBeDue(from)) {
            next.add(from.granted(grant));
        }
    }

    private static void checkSeen(
            TaskState state, SeenThere seen, RelaxationWindow relaxationWindow, List<TaskState> next) {
        if (!state.isPresent()) {
            if (relaxationWindow.isRelaxed(Relaxation.RESURRECT)) {
                next.add(state);
            }
            return;
        }
        boolean sameTask = seen.payload() == Payloads.NOT_SHOWN
                || seen.payload() == state.payload()
                || relaxationWindow.isRelaxed(Relaxation.CHANGE_DATA);
        if (!sameTask) {
            return;
        }
        int unseen = seen.attempt() - state.attempt();
        if (relaxationWindow.isRelaxed(Relaxation.MISCOUNT_ATTEMPTS)) {
            addIfAlike(state, seen, relaxationWindow, next);
            return;
        }
        if (relaxationWindow.mayBeLeasedUnseen(state, unseen)) {
            addIfAlike(state.granted(unseen), seen, relaxationWindow, next);
        }
        if (relaxationWindow.mayHaveBeenLeasedUnseen(state, unseen)) {
            addIfAlike(state.leasedBefore(unseen), seen, relaxationWindow, next);
        }
    }

    private static void addIfAlike(
            TaskState state, SeenThere seen, RelaxationWindow relaxationWindow, List<TaskState> next) {
        boolean alike = switch (seen.state()) {
            case LEASED -> relaxationWindow.mayBeLive(state) && mayExpireAt(state, seen.until());
            case AVAILABLE -> relaxationWindow.mayBeFree(state) && relaxationWindow.mayBeDue(state);
            case DELAYED -> relaxationWindow.mayBeFree(state) && relaxationWindow.mayBeDelayed(state);
            case UNRECOGNIZED -> true;
        };
        if (alike) {
            next.add(state);
        }
    }

    /** Compares within a millisecond: a peek shows the expiry that the reply to the lease reported. */
    private static boolean mayExpireAt(TaskState state, long until) {
        return state.lease() != Lease.KNOWN
                || (state.expiresEarliest() - 1_000 <= until && until <= state.expiresLatest() + 1_000);
    }
}
