package io.taskmaster.testkit.oracle;

import io.taskmaster.testkit.oracle.Effect.Deleted;
import io.taskmaster.testkit.oracle.Effect.Granted;
import io.taskmaster.testkit.oracle.Effect.Result;
import io.taskmaster.testkit.oracle.Effect.SeenAbsent;
import io.taskmaster.testkit.oracle.Effect.SeenThere;
import io.taskmaster.testkit.oracle.Effect.Updated;
import io.taskmaster.testkit.oracle.Element.Dequeuing;
import io.taskmaster.testkit.oracle.Element.Enqueuing;
import io.taskmaster.testkit.oracle.Element.Releasing;
import io.taskmaster.testkit.oracle.Element.Renewal;
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
 * What is certain of one task, by time, whatever order explains it. A state that an operation certainly left behind lasts from its
 * completion to the first invocation of anything that may have ended it and did not certainly come before it.
 *
 * <p>A lease of unknown outcome may have taken a task at any time, unseen; but not between two operations that count its
 * attempts without a gap. Single-threaded.
 */
final class KeyCertainties {

    /** Of tasks with more operations nothing is worked out: it takes their square. */
    private static final int MAX_OPERATIONS = 2_000;

    /** A state that began. */
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

    /** When it is there. */
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

    /** When it may be leased. */
    List<Interval> available() {
        List<Interval> intervals = new ArrayList<>();
        for (KeyOperation operation : operations) {
            start(operation).ifPresent(start -> {
                boolean expiry = !(operation.effect() instanceof Updated);
                Predicate<KeyOperation> ends =
                        expiry ? other -> mayTake(other) || mayRenew(other) : KeyCertainties::mayTake;
                add(intervals, start.from, Math.min(firstAfter(operation, ends), unseenAfter(start, ends)));
            });
        }
        return merged(intervals);
    }

    /** When somebody holds it. */
    List<Interval> leased() {
        List<Interval> intervals = new ArrayList<>();
        for (KeyOperation operation : operations) {
            if (operation.effect() instanceof Granted granted) {
                long end = firstAfter(operation, other -> mayTake(other) || mayRenew(other));
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

    /** When the first operation was invoked that may come after this one and is such a one, or the queue was deleted. */
    private long firstAfter(KeyOperation operation, Predicate<KeyOperation> such) {
        long first = Span.FAR;
        for (KeyOperation other : operations) {
            if (other != operation && !other.span().isBefore(operation.span()) && such.test(other)) {
                first = Math.min(first, other.span().from());
            }
        }
        // Not all of them are among the operations of the task: only those that explain something.
        for (Operation.Deleting delete : queue.deletes) {
            if (!delete.span().isBefore(operation.span())) {
                first = Math.min(first, delete.span().from());
            }
        }
        return first;
    }

    /** When a lease may have come first that nobody was told of. */
    private long unseenAfter(Start start, Predicate<KeyOperation> ends) {
        if (queue.unknownLeases.isEmpty()) {
            return Span.FAR;
        }
        Optional<KeyOperation> taker = operations.stream()
                .filter(other ->
                        other != start.operation && !other.span().isBefore(start.operation.span()) && ends.test(other))
                .min(Comparator.comparingLong(other -> other.span().until()));
        boolean counted = taker.isPresent()
                && taker.get().effect() instanceof Granted granted
                && start.attempt.isPresent()
                && granted.attempt() == start.attempt.getAsInt() + 1
                && operations.stream()
                        .filter(other -> other != taker.get()
                                && other != start.operation
                                && !other.span().isBefore(start.operation.span())
                                && ends.test(other))
                        .allMatch(other -> taker.get().span().isBefore(other.span()));
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

    /** Whether it may end that a task may be leased. */
    private static boolean mayTake(KeyOperation operation) {
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

    private static boolean has(KeyOperation operation, Predicate<Element> such) {
        return operation.effect() instanceof Updated updated
                && (updated.result() == Result.SUCCESS || updated.result() == Result.UNKNOWN)
                && updated.elements().stream().anyMatch(such);
    }
}
