package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.model.Element;
import io.taskmaster.testkit.oracle.model.Element.Dequeuing;
import io.taskmaster.testkit.oracle.model.Element.Enqueuing;
import io.taskmaster.testkit.oracle.model.Element.Releasing;
import io.taskmaster.testkit.oracle.model.Element.Renewal;
import io.taskmaster.testkit.oracle.search.TaskState.Lease;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.Status;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of the elements of an update: every status that an element may have in a state, and the state that follows.
 *
 * <p>Several may be possible. The instants at which leases and delays end are known only within the clock slack, and a
 * lease of unknown outcome may have come first. Stateless.
 */
final class ElementRules {

    /**
     * A possible outcome of an element.
     *
     * @param before the state that the element met; differs from the state given if an unobserved lease came first
     * @param after the state that follows if the update succeeds
     */
    record Step(Status status, TaskState before, TaskState after) {

        boolean refuses() {
            return status != Status.OK && status != Status.COLLAPSED;
        }
    }

    private ElementRules() {}

    static List<Step> steps(TaskState state, Element element, RelaxationWindow relaxationWindow) {
        List<Step> steps = new ArrayList<>(3);
        add(steps, state, element, relaxationWindow);
        if (state.isPresent() && relaxationWindow.mayBeLeasedUnseen(state, 1) && dependsOnTheLease(element)) {
            add(steps, state.granted(1), element, relaxationWindow);
        }
        relax(steps, state, element, relaxationWindow);
        return steps;
    }

    private static boolean dependsOnTheLease(Element element) {
        return switch (element) {
            case Renewal renewal -> true;
            case Releasing releasing -> true;
            case Dequeuing dequeuing -> dequeuing.leaseId() != 0;
            case Enqueuing enqueuing ->
                enqueuing.ifExists() == IfExists.REPLACE || enqueuing.ifExists() == IfExists.RERUN;
        };
    }

    private static void add(List<Step> steps, TaskState state, Element element, RelaxationWindow relaxationWindow) {
        switch (element) {
            case Renewal renewal -> renew(steps, state, renewal, relaxationWindow);
            case Releasing releasing -> release(steps, state, releasing, relaxationWindow);
            case Dequeuing dequeuing -> dequeue(steps, state, dequeuing, relaxationWindow);
            case Enqueuing enqueuing -> enqueue(steps, state, enqueuing, relaxationWindow);
        }
    }

    private static void renew(List<Step> steps, TaskState state, Renewal element, RelaxationWindow relaxationWindow) {
        if (!state.isPresent()) {
            steps.add(new Step(Status.NOT_FOUND, state, state));
            return;
        }
        if (!state.isLeasedBy(element.leaseId())) {
            steps.add(new Step(Status.LEASE_LOST, state, state));
        }
        // Both answers are possible under an unobserved lease: it may be the one that the element names, or not.
        if (mayHold(state, element.leaseId(), relaxationWindow)) {
            if (relaxationWindow.mayBeLive(state)) {
                TaskState renewed = state.lease() == Lease.KNOWN
                        ? state.expiring(
                                relaxationWindow.earliest() - relaxationWindow.slack() + element.leaseMicros(),
                                relaxationWindow.latest() + relaxationWindow.slack() + element.leaseMicros())
                        : state;
                steps.add(new Step(Status.OK, state, renewed));
            }
            if (relaxationWindow.mayBeUnleased(state)) {
                steps.add(new Step(Status.LEASE_EXPIRED, state, state));
            }
        }
    }

    private static void release(
            List<Step> steps, TaskState state, Releasing element, RelaxationWindow relaxationWindow) {
        if (!state.isPresent()) {
            steps.add(new Step(Status.NOT_FOUND, state, state));
            return;
        }
        boolean isUnconditional = element.leaseId() == 0;
        if (isUnconditional ? state.lease() != Lease.NONE : mayHold(state, element.leaseId(), relaxationWindow)) {
            steps.add(new Step(Status.OK, state, state.released(element.notBefore(), element.untried())));
        }
        if (isUnconditional ? state.lease() == Lease.NONE : !state.isLeasedBy(element.leaseId())) {
            steps.add(new Step(Status.LEASE_LOST, state, state));
        }
    }

    private static void dequeue(
            List<Step> steps, TaskState state, Dequeuing element, RelaxationWindow relaxationWindow) {
        if (!state.isPresent()) {
            steps.add(new Step(Status.NOT_FOUND, state, state));
            return;
        }
        if (element.leaseId() == 0 || mayHold(state, element.leaseId(), relaxationWindow)) {
            steps.add(new Step(Status.OK, state, state.dequeued()));
        }
        if (element.leaseId() != 0 && !state.isLeasedBy(element.leaseId())) {
            steps.add(new Step(Status.LEASE_LOST, state, state));
        }
    }

    private static void enqueue(
            List<Step> steps, TaskState state, Enqueuing element, RelaxationWindow relaxationWindow) {
        TaskState enqueued = state.enqueued(element.payload(), element.notBefore());
        if (!state.isPresent()) {
            steps.add(new Step(Status.OK, state, enqueued));
            return;
        }
        IfExists ifExists = element.ifExists();
        if (ifExists == null) {
            return; // An assigned PID is one that is not in the queue.
        }
        switch (ifExists) {
            case COLLAPSE -> steps.add(new Step(Status.COLLAPSED, state, state));
            case FAIL -> steps.add(new Step(Status.ALREADY_EXISTS, state, state));
            case REPLACE, RERUN -> {
                if (relaxationWindow.mayBeFree(state)) {
                    steps.add(new Step(Status.OK, state, enqueued));
                }
                if (relaxationWindow.mayBeLive(state)) {
                    steps.add(
                            ifExists == IfExists.REPLACE
                                    ? new Step(Status.LEASED, state, state)
                                    : new Step(
                                            Status.OK,
                                            state,
                                            state.followedBy(element.payload(), element.notBefore())));
                }
            }
            case UNRECOGNIZED -> {}
        }
    }

    private static boolean mayHold(TaskState state, long id, RelaxationWindow relaxationWindow) {
        return state.isLeasedBy(id)
                || (state.lease() == Lease.PHANTOM && relaxationWindow.isUnknown(id))
                || relaxationWindow.isRelaxed(Relaxation.ACCEPT_OLD_LEASES);
    }

    private static void relax(List<Step> steps, TaskState state, Element element, RelaxationWindow relaxationWindow) {
        Status reported = element.status();
        if (relaxationWindow.relaxed().isEmpty() || reported == null) {
            return;
        }
        if (relaxationWindow.isRelaxed(Relaxation.VANISH) && state.isPresent()) {
            add(steps, state.absent(), element, relaxationWindow);
        }
        boolean denied = reported != Status.OK && reported != Status.COLLAPSED && reported != Status.ABORTED;
        boolean actsAsPresent = !state.isPresent()
                && reported != Status.NOT_FOUND
                && !(element instanceof Enqueuing && (reported == Status.OK || reported == Status.ABORTED));
        if ((relaxationWindow.isRelaxed(Relaxation.RESURRECT) && actsAsPresent)
                || (relaxationWindow.isRelaxed(Relaxation.REFUSE_ANYTHING) && denied)) {
            steps.add(new Step(reported, state, state));
        }
    }
}
