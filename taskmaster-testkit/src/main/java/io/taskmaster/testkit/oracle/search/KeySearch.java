package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.model.Effect;
import io.taskmaster.testkit.oracle.model.KeyOperation;
import io.taskmaster.testkit.oracle.model.Span;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A search for an order in which the operations on one task explain each other: the linearizability check of Wing and
 * Gong, with the memoization of Lowe.
 *
 * <p>Operations that are known to have happened must all be placed, and none before an operation that completed before
 * it was invoked. Operations of unknown outcome may be placed anywhere after their invocation, or left out. So an
 * unknown operation is placed only if it changes the state.
 *
 * <p>A node is the set of operations that are placed already, and the state to which they led. The set is encoded as
 *
 * <ul>
 *   <li>the floor: the index of the first known operation, by invocation, that is not placed;
 *   <li>a word of bits for the known operations from the floor on;
 *   <li>a word of bits for the unknown operations.
 * </ul>
 *
 * More than 64 unknown operations, or 64 known ones in flight at a time, do not fit: the task is then undecided, as it
 * is after about {@code maxStates} nodes. A node is skipped if the same known operations and the same state were
 * reached before with a subset of the unknown operations: what is left to place is then a superset, and its windows are
 * no narrower.
 *
 * <p>An operation takes effect between the latest invocation among the placed operations, itself included, and the
 * earliest completion among the others. That is the {@link RelaxationWindow} in which its rules compare clocks.
 *
 * <p>The search is depth first, and tries the known operation that was invoked first before all others: that is the
 * right order of a history without concurrency. Single-threaded.
 */
public final class KeySearch {

    /** The result of a search. */
    public enum Answer {
        EXPLAINED,
        IMPOSSIBLE,
        UNDECIDED
    }

    /** The known operations that are placed, with the state to which all placed operations led. */
    private record Position(int floor, long done, TaskState state) {}

    /** A position together with the set of unknown operations that are placed. */
    private record Node(Position position, long tried) {

        int floor() {
            return position.floor;
        }

        long done() {
            return position.done;
        }

        TaskState state() {
            return position.state;
        }
    }

    private final RelaxationWindow relaxationWindow;
    private final int maxStates;

    private final KeyOperation[] known;
    private final long[] knownFrom;
    private final long[] knownUntil;
    private final KeyOperation[] unknown;
    private final long[] unknownFrom;

    /** The order that the constraint imposes: the second operation may not precede the first. Empty, or of size two. */
    private final List<KeyOperation> order;

    /** The operation that is supposed to have taken effect, with the effect of its success. */
    private final @Nullable KeyOperation supposed;

    private final Effect supposedEffect;

    /**
     * The sets of unknown operations with which a position was reached. A superset of one of them is not expanded
     * again: with the subset, more operations are left to place, and the windows are no narrower.
     */
    private final Map<Position, long[]> visited = new HashMap<>();

    private int states;
    private final Deque<Node> open = new ArrayDeque<>();
    private final List<TaskState> next = new ArrayList<>();

    private KeySearch(
            List<KeyOperation> operations, Constraint constraint, RelaxationWindow relaxationWindow, int maxStates) {
        this.relaxationWindow = relaxationWindow;
        // A history without concurrency needs about one state for each of its operations, however long it is.
        this.maxStates = maxStates + 8 * operations.size();
        List<KeyOperation> required = new ArrayList<>(operations.size());
        List<KeyOperation> optional = new ArrayList<>();
        boolean moved = false;
        for (KeyOperation operation : operations) {
            if (operation.span().from() > constraint.horizon()) {
                continue;
            }
            boolean must = !operation.span().isUnknown() && operation.span().until() <= constraint.horizon();
            if (operation == constraint.subject()) {
                Boolean applied = constraint.applied();
                must = applied == null ? must : applied;
                moved = true;
            }
            if (must) {
                required.add(operation);
            } else if (!operation.isRead()) {
                optional.add(operation);
            }
        }
        this.known = required.toArray(KeyOperation[]::new);
        this.unknown = optional.toArray(KeyOperation[]::new);
        this.knownFrom = new long[known.length];
        this.knownUntil = new long[known.length];
        this.unknownFrom = new long[unknown.length];
        times(constraint, moved);
        this.order = orderOf(constraint);
        this.supposed = Boolean.TRUE.equals(constraint.applied()) ? constraint.subject() : null;
        this.supposedEffect = supposed != null && supposed.effect() instanceof Effect.Updated updated
                ? new Effect.Updated(updated.elements(), Effect.Result.SUCCESS)
                : new Effect.SeenAbsent();
    }

    private static List<KeyOperation> orderOf(Constraint constraint) {
        KeyOperation subject = constraint.subject();
        KeyOperation after = constraint.after();
        KeyOperation before = constraint.before();
        if (subject != null && after != null) {
            return List.of(after, subject);
        }
        return subject != null && before != null ? List.of(subject, before) : List.of();
    }

    private void times(Constraint constraint, boolean moved) {
        for (int i = 0; i < known.length; i++) {
            boolean subject = known[i] == constraint.subject();
            knownFrom[i] = subject
                    ? Math.max(known[i].span().from(), constraint.from())
                    : known[i].span().from();
            knownUntil[i] = subject
                    ? Math.min(known[i].span().until(), constraint.until())
                    : known[i].span().until();
        }
        for (int i = 0; i < unknown.length; i++) {
            boolean subject = unknown[i] == constraint.subject();
            unknownFrom[i] = subject
                    ? Math.max(unknown[i].span().from(), constraint.from())
                    : unknown[i].span().from();
        }
        if (moved && constraint.from() != Long.MIN_VALUE) {
            sort(known, knownFrom, knownUntil);
            sort(unknown, unknownFrom, unknownFrom.clone());
        }
    }

    /** Sorts by the time of invocation. An insertion sort: at most one operation is out of place. */
    private static void sort(KeyOperation[] operations, long[] from, long[] until) {
        for (int i = 1; i < operations.length; i++) {
            for (int j = i; j > 0 && from[j - 1] > from[j]; j--) {
                KeyOperation operation = operations[j];
                operations[j] = operations[j - 1];
                operations[j - 1] = operation;
                swap(from, j);
                swap(until, j);
            }
        }
    }

    private static void swap(long[] array, int at) {
        long value = array[at];
        array[at] = array[at - 1];
        array[at - 1] = value;
    }

    static Answer search(
            List<KeyOperation> operations, Constraint constraint, RelaxationWindow relaxationWindow, int maxStates) {
        return new KeySearch(operations, constraint, relaxationWindow, maxStates).search();
    }

    private Answer search() {
        for (int i = 0; i < known.length; i++) {
            if (knownFrom[i] > knownUntil[i]) {
                return Answer.IMPOSSIBLE;
            }
        }
        if (unknown.length > Long.SIZE) {
            return Answer.UNDECIDED;
        }
        push(0, 0, 0, TaskState.NEVER_THERE);
        while (!open.isEmpty()) {
            Node node = open.pop();
            if (node.floor() == known.length) {
                return Answer.EXPLAINED;
            }
            if (states > maxStates || !expand(node)) {
                return Answer.UNDECIDED;
            }
        }
        return Answer.IMPOSSIBLE;
    }

    private void push(int floor, long done, long tried, TaskState state) {
        Position position = new Position(floor, done, state);
        long[] before = visited.get(position);
        if (before == null) {
            visited.put(position, new long[] {tried});
        } else {
            for (long less : before) {
                if ((less & ~tried) == 0) {
                    return;
                }
            }
            long[] longer = Arrays.copyOf(before, before.length + 1);
            longer[before.length] = tried;
            visited.put(position, longer);
        }
        states++;
        open.push(new Node(position, tried));
    }

    /** Pushes every node that may follow; returns false if more operations are in flight than a word can encode. */
    private boolean expand(Node node) {
        // Only operations invoked no later than the earliest completion of those not yet placed may come next; any
        // other would follow an operation that completed before its invocation.
        long earliestCompletion = Span.FAR;
        int end = node.floor();
        for (; end < known.length && knownFrom[end] <= earliestCompletion; end++) {
            if (end - node.floor() >= Long.SIZE) {
                return false;
            }
            if ((node.done() & 1L << (end - node.floor())) == 0) {
                earliestCompletion = Math.min(earliestCompletion, knownUntil[end]);
            }
        }
        long latestInvocation = latestInvocation(node);
        for (int i = 0; i < unknown.length && unknownFrom[i] <= earliestCompletion; i++) {
            if ((node.tried & 1L << i) == 0 && mayComeNext(unknown[i], node)) {
                apply(node, unknown[i], Math.max(latestInvocation, unknownFrom[i]), earliestCompletion);
                for (TaskState state : next) {
                    // An operation that does not change the state need not be placed: leaving it out explains the same.
                    if (!state.equals(node.state())) {
                        push(node.floor(), node.done(), node.tried | 1L << i, state);
                    }
                }
            }
        }
        // The stack is last in, first out: the operation that was invoked first is expanded first.
        for (int i = end - 1; i >= node.floor(); i--) {
            if ((node.done() & 1L << (i - node.floor())) == 0
                    && knownFrom[i] <= earliestCompletion
                    && mayComeNext(known[i], node)) {
                apply(node, known[i], Math.max(latestInvocation, knownFrom[i]), earliestCompletion);
                for (TaskState state : next) {
                    pushDone(node, i, state);
                }
            }
        }
        return true;
    }

    private void apply(Node node, KeyOperation operation, long earliest, long latest) {
        next.clear();
        Effect effect = operation == supposed && operation.effect() instanceof Effect.Updated
                ? supposedEffect
                : operation.effect();
        KeyRules.apply(node.state(), effect, relaxationWindow.at(earliest, latest), next);
    }

    private long latestInvocation(Node node) {
        // Far enough from the smallest number that a slack can be subtracted without overflow.
        long latest = Long.MIN_VALUE / 4;
        // Operations are sorted by invocation, so the highest bit of a word is the one that was invoked last.
        if (node.done() != 0) {
            latest = knownFrom[node.floor() + Long.SIZE - 1 - Long.numberOfLeadingZeros(node.done())];
        } else if (node.floor() > 0) {
            latest = knownFrom[node.floor() - 1];
        }
        return node.tried == 0
                ? latest
                : Math.max(latest, unknownFrom[Long.SIZE - 1 - Long.numberOfLeadingZeros(node.tried)]);
    }

    private void pushDone(Node node, int i, TaskState state) {
        long done = node.done() | 1L << (i - node.floor());
        // Known operations that are now placed without a gap move the floor.
        int leadingDone = Long.numberOfTrailingZeros(~done);
        push(node.floor() + leadingDone, leadingDone == Long.SIZE ? 0 : done >>> leadingDone, node.tried, state);
    }

    private boolean mayComeNext(KeyOperation operation, Node node) {
        return order.isEmpty() || order.getLast() != operation || isDone(order.getFirst(), node);
    }

    private boolean isDone(KeyOperation operation, Node node) {
        for (int i = 0; i < unknown.length; i++) {
            if (unknown[i] == operation) {
                return (node.tried & 1L << i) != 0;
            }
        }
        for (int i = 0; i < known.length; i++) {
            if (known[i] == operation) {
                return i < node.floor()
                        || (i - node.floor() < Long.SIZE && (node.done() & 1L << (i - node.floor())) != 0);
            }
        }
        return false;
    }
}
