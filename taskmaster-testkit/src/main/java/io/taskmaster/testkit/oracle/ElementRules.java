package io.taskmaster.testkit.oracle;

import io.taskmaster.testkit.oracle.Element.Dequeuing;
import io.taskmaster.testkit.oracle.Element.Enqueuing;
import io.taskmaster.testkit.oracle.Element.Releasing;
import io.taskmaster.testkit.oracle.Element.Renewal;
import io.taskmaster.testkit.oracle.TaskState.Lease;
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

    static List<Step> steps(TaskState state, Element element, Window window) {
        List<Step> steps = new ArrayList<>(3);
        add(steps, state, element, window);
        if (state.isPresent() && window.mayBeTakenUnseen(state, 1) && dependsOnTheLease(element)) {
            add(steps, state.granted(1), element, window);
        }
        relax(steps, state, element, window);
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

    private static void add(List<Step> steps, TaskState state, Element element, Window window) {
        switch (element) {
            case Renewal renewal -> renew(steps, state, renewal, window);
            case Releasing releasing -> release(steps, state, releasing, window);
            case Dequeuing dequeuing -> dequeue(steps, state, dequeuing, window);
            case Enqueuing enqueuing -> enqueue(steps, state, enqueuing, window);
        }
    }

    private static void renew(List<Step> steps, TaskState state, Renewal element, Window window) {
        if (!state.isPresent()) {
            steps.add(new Step(Status.NOT_FOUND, state, state));
            return;
        }
        if (!state.isLeasedBy(element.leaseId())) {
            steps.add(new Step(Status.LEASE_LOST, state, state));
        }
        if (mayHold(state, element.leaseId(), window)) {
            if (window.mayBeLive(state)) {
                TaskState renewed = state.lease() == Lease.KNOWN
                        ? state.expiring(
                                window.earliest() - window.slack() + element.leaseMicros(),
                                window.latest() + window.slack() + element.leaseMicros())
                        : state;
                steps.add(new Step(Status.OK, state, renewed));
            }
            if (window.mayBeUnleased(state)) {
                steps.add(new Step(Status.LEASE_EXPIRED, state, state));
            }
        }
    }

    private static void release(List<Step> steps, TaskState state, Releasing element, Window window) {
        if (!state.isPresent()) {
            steps.add(new Step(Status.NOT_FOUND, state, state));
            return;
        }
        boolean anybody = element.leaseId() == 0;
        if (anybody ? state.lease() != Lease.NONE : mayHold(state, element.leaseId(), window)) {
            steps.add(new Step(Status.OK, state, state.released(element.notBefore(), element.untried())));
        }
        if (anybody ? state.lease() == Lease.NONE : !state.isLeasedBy(element.leaseId())) {
            steps.add(new Step(Status.LEASE_LOST, state, state));
        }
    }

    private static void dequeue(List<Step> steps, TaskState state, Dequeuing element, Window window) {
        if (!state.isPresent()) {
            steps.add(new Step(Status.NOT_FOUND, state, state));
            return;
        }
        if (element.leaseId() == 0 || mayHold(state, element.leaseId(), window)) {
            steps.add(new Step(Status.OK, state, state.dequeued()));
        }
        if (element.leaseId() != 0 && !state.isLeasedBy(element.leaseId())) {
            steps.add(new Step(Status.LEASE_LOST, state, state));
        }
    }

    private static void enqueue(List<Step> steps, TaskState state, Enqueuing element, Window window) {
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
                if (window.mayBeFree(state)) {
                    steps.add(new Step(Status.OK, state, enqueued));
                }
                if (window.mayBeLive(state)) {
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

    private static boolean mayHold(TaskState state, long id, Window window) {
        return state.isLeasedBy(id)
                || (state.lease() == Lease.PHANTOM && window.isUnheardOf(id))
                || window.isRelaxed(Relaxation.ACCEPT_OLD_LEASES);
    }

    private static void relax(List<Step> steps, TaskState state, Element element, Window window) {
        Status told = element.status();
        if (window.relaxed().isEmpty() || told == null) {
            return;
        }
        if (window.isRelaxed(Relaxation.VANISH) && state.isPresent()) {
            add(steps, state.absent(), element, window);
        }
        boolean denied = told != Status.OK && told != Status.COLLAPSED && told != Status.ABORTED;
        boolean asIfThere = !state.isPresent()
                && told != Status.NOT_FOUND
                && !(element instanceof Enqueuing && (told == Status.OK || told == Status.ABORTED));
        if ((window.isRelaxed(Relaxation.RESURRECT) && asIfThere)
                || (window.isRelaxed(Relaxation.REFUSE_ANYTHING) && denied)) {
            steps.add(new Step(told, state, state));
        }
    }
}
