package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.model.Effect.Deleted;
import io.taskmaster.testkit.oracle.model.Effect.Granted;
import io.taskmaster.testkit.oracle.model.Effect.Result;
import io.taskmaster.testkit.oracle.model.Effect.SeenAbsent;
import io.taskmaster.testkit.oracle.model.Effect.SeenThere;
import io.taskmaster.testkit.oracle.model.Effect.Updated;
import io.taskmaster.testkit.oracle.model.Element;
import io.taskmaster.testkit.oracle.model.Element.Dequeuing;
import io.taskmaster.testkit.oracle.model.Element.Enqueuing;
import io.taskmaster.testkit.oracle.model.Element.Releasing;
import io.taskmaster.testkit.oracle.model.Element.Renewal;
import io.taskmaster.testkit.oracle.model.Interval;
import io.taskmaster.testkit.oracle.model.KeyHistory;
import io.taskmaster.testkit.oracle.model.KeyOperation;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.model.RecordedOperation;
import io.taskmaster.testkit.oracle.model.Span;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The facts that are certain about one task, by time: they hold in every order that explains its history.
 *
 * <p>A fact is derived from an operation that certainly left the task in some state, such as a grant or a successful
 * enqueue. It begins when that operation has completed: earlier, the operation may not have taken effect. It ends with
 * the first invocation of an operation that may end the state and does not certainly precede the first one. Deletions
 * of the queue end every fact.
 *
 * <p>Times of servers (expiry of leases, not-before times) are widened by the clock slack towards the uncertain side.
 * An expired lease becomes valid again if a clock is set back, so a peek that shows the task as available counts only
 * after twice the slack.
 *
 * <p>A lease of unknown outcome may have taken the task, unobserved, at any time after its invocation. It is excluded
 * only between two operations whose attempt numbers leave no gap.
 *
 * <p>The cost is quadratic in the operations of the task; tasks with more than {@value #MAX_OPERATIONS} have no certain
 * facts. Single-threaded.
 */
final class KeyCertainties {

    /** The bound on the operations of a task beyond which nothing is derived: the cost is quadratic. */
    private static final int MAX_OPERATIONS = 2_000;

    /** The beginning of a state, with the attempt number if it is known. */
    private record Start(KeyOperation operation, long from, OptionalInt attempt) {}

    private final QueueHistory queue;
    private final KeyHistory key;
    private final long slack;
    private final long lag;
    private final List<KeyOperation> operations;

    KeyCertainties(QueueHistory queue, KeyHistory key, OracleSettings settings) {
        this.queue = queue;
        this.key = key;
        this.slack = settings.slackMicros();
        this.lag = settings.activationLagMicros();
        this.operations = queue.unclear || key.operations().size() > MAX_OPERATIONS ? List.of() : key.operations();
    }

    /** Returns the intervals in which the task is certainly in its queue. */
    List<Interval> present() {
        List<Interval> intervals = new ArrayList<>();
        for (KeyOperation operation : operations) {
            if (showsPresence(operation)) {
                long from = operation.span().until();
                add(intervals, from, firstAfter(operation, KeyCertainties::mayRemove));
            }
        }
        return merged(intervals);
    }

    /** Returns the intervals in which the task may certainly be leased. */
    List<Interval> available() {
        List<Interval> intervals = new ArrayList<>();
        for (KeyOperation operation : operations) {
            start(operation).ifPresent(start -> {
                // After a grant or a peek, availability rests on the expiry of a lease, which a renewal postpones.
                boolean expiry = !(operation.effect() instanceof Updated);
                Predicate<KeyOperation> ends =
                        expiry ? other -> mayLeaseOrRemove(other) || mayRenew(other) : KeyCertainties::mayLeaseOrRemove;
                add(intervals, start.from, Math.min(firstAfter(operation, ends), unseenAfter(start, ends)));
            });
        }
        return merged(intervals);
    }

    /** Returns the intervals in which the task is certainly under a lease. */
    List<Interval> leased() {
        List<Interval> intervals = new ArrayList<>();
        for (KeyOperation operation : operations) {
            if (operation.effect() instanceof Granted granted) {
                long end = firstAfter(operation, other -> mayLeaseOrRemove(other) || mayRenew(other));
                add(intervals, operation.span().until(), Math.min(end, granted.expires() - slack));
            }
        }
        return merged(intervals);
    }

    private void add(List<Interval> intervals, long from, long until) {
        if (from < until) {
            intervals.add(new Interval(key, from, until));
        }
    }

    private List<Interval> merged(List<Interval> intervals) {
        if (intervals.size() < 2) {
            return intervals;
        }
        intervals.sort(Comparator.comparingLong(Interval::from));
        List<Interval> merged = new ArrayList<>();
        for (Interval interval : intervals) {
            Interval last = merged.isEmpty() ? null : merged.getLast();
            if (last == null || last.until() < interval.from()) {
                merged.add(interval);
            } else if (last.until() < interval.until()) {
                merged.set(merged.size() - 1, new Interval(key, last.from(), interval.until()));
            }
        }
        return merged;
    }

    /**
     * Returns the first invocation of an operation that may follow this one and satisfies the predicate, or of a
     * deletion of the queue.
     */
    private long firstAfter(KeyOperation operation, Predicate<KeyOperation> condition) {
        long first = Span.FAR;
        for (KeyOperation other : operations) {
            if (other != operation && !other.span().isBefore(operation.span()) && condition.test(other)) {
                first = Math.min(first, other.span().from());
            }
        }
        // The operations of a task contain only the deletions that explain something, so all those of the queue are
        // checked.
        for (RecordedOperation.Deleting delete : queue.deletes) {
            if (!delete.span().isBefore(operation.span())) {
                first = Math.min(first, delete.span().from());
            }
        }
        return first;
    }

    /** Returns the time from which an unobserved lease may have come first. */
    private long unseenAfter(Start start, Predicate<KeyOperation> ends) {
        if (queue.unknownLeases.isEmpty()) {
            return Span.FAR;
        }
        Optional<KeyOperation> remover = operations.stream()
                .filter(other ->
                        other != start.operation && !other.span().isBefore(start.operation.span()) && ends.test(other))
                .min(Comparator.comparingLong(other -> other.span().until()));
        // If the attempt numbers leave no gap, no unobserved lease came in between. That holds only if this grant
        // certainly came before all others that may have taken the task.
        boolean counted = remover.isPresent()
                && remover.get().effect() instanceof Granted granted
                && start.attempt.isPresent()
                && granted.attempt() == start.attempt.getAsInt() + 1
                && operations.stream()
                        .filter(other -> other != remover.get()
                                && other != start.operation
                                && !other.span().isBefore(start.operation.span())
                                && ends.test(other))
                        .allMatch(other -> remover.get().span().isBefore(other.span()));
        long[] phantoms = queue.phantomTimes(key.key().pid());
        return counted || phantoms.length == 0 ? Span.FAR : phantoms[0];
    }

    private Optional<Start> start(KeyOperation operation) {
        long until = operation.span().until();
        return switch (operation.effect()) {
            case Granted granted ->
                Optional.of(new Start(
                        operation, Math.max(until, granted.expires() + slack), OptionalInt.of(granted.attempt())));
            case SeenThere seen ->
                // A clock that is set back makes an expired lease valid again.
                seen.state() == PeekedTask.State.AVAILABLE
                        ? Optional.of(new Start(operation, until + 2 * slack, OptionalInt.of(seen.attempt())))
                        : Optional.empty();
            case SeenAbsent absent -> Optional.empty();
            case Deleted deleted -> Optional.empty();
            case Updated updated -> updated.result() == Result.SUCCESS ? start(operation, updated) : Optional.empty();
        };
    }

    private Optional<Start> start(KeyOperation operation, Updated updated) {
        long until = operation.span().until();
        return switch (updated.elements().getLast()) {
            case Enqueuing enqueue ->
                enqueue.status() == Status.OK && enqueue.ifExists() != IfExists.RERUN
                        ? Optional.of(
                                new Start(operation, Math.max(until, due(enqueue.notBefore())), OptionalInt.of(0)))
                        : Optional.empty();
            case Releasing release ->
                release.status() == Status.OK
                        ? Optional.of(new Start(operation, Math.max(until, due(release.notBefore())), attempt(release)))
                        : Optional.empty();
            case Dequeuing dequeue -> Optional.empty();
            case Renewal renewal -> Optional.empty();
        };
    }

    private long due(long notBefore) {
        return notBefore == 0 ? Long.MIN_VALUE : notBefore + slack + lag;
    }

    private OptionalInt attempt(Releasing release) {
        return operations.stream()
                .map(KeyOperation::effect)
                .filter(effect -> effect instanceof Granted granted && granted.leaseId() == release.leaseId())
                .mapToInt(effect -> ((Granted) effect).attempt() - (release.untried() ? 1 : 0))
                .findFirst();
    }

    private static boolean showsPresence(KeyOperation operation) {
        return switch (operation.effect()) {
            case Granted granted -> true;
            case SeenThere seen -> true;
            case SeenAbsent absent -> false;
            case Deleted deleted -> false;
            case Updated updated ->
                updated.result() == Result.SUCCESS
                        && endsPresent(updated.elements().getLast());
        };
    }

    private static boolean endsPresent(Element element) {
        return switch (element) {
            case Enqueuing enqueue -> true;
            case Releasing release -> true;
            case Dequeuing dequeue -> false;
            case Renewal renewal -> renewal.status() != Status.NOT_FOUND;
        };
    }

    private static boolean mayRemove(KeyOperation operation) {
        return operation.effect() instanceof Deleted || has(operation, Dequeuing.class::isInstance);
    }

    /** Returns whether the operation may end the availability of the task. */
    private static boolean mayLeaseOrRemove(KeyOperation operation) {
        return operation.effect() instanceof Granted
                || mayRemove(operation)
                || has(
                        operation,
                        element -> element instanceof Releasing
                                || (element instanceof Enqueuing enqueue
                                        && enqueue.ifExists() != IfExists.FAIL
                                        && enqueue.status() != Status.COLLAPSED));
    }

    private static boolean mayRenew(KeyOperation operation) {
        return operation.effect() instanceof Updated updated
                && updated.elements().stream()
                        .anyMatch(element -> element instanceof Renewal
                                && (element.status() == null || element.status() == Status.OK));
    }

    private static boolean has(KeyOperation operation, Predicate<Element> condition) {
        return operation.effect() instanceof Updated updated
                && (updated.result() == Result.SUCCESS || updated.result() == Result.UNKNOWN)
                && updated.elements().stream().anyMatch(condition);
    }
}
