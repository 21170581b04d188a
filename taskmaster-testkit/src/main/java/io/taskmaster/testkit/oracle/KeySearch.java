package io.taskmaster.testkit.oracle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order in which the operations on one task explain one another: the algorithm of Wing and Gong, with the memory of Lowe.
 *
 * <p>What is known to have happened must be put in order, so that nothing comes before what was completed before it was invoked.
 * What is of unknown outcome may be put anywhere after its invocation, or left out. A node of the search is the set of operations
 * that are in order already, and the state to which they led; whichever way it was come by, it need not be looked at twice. The set
 * is told by the first known operation that is not in it, a word of bits for the known ones from there on, and one for the unknown
 * ones. More than 64 at a time of either are not tried.
 *
 * <p>An operation takes effect between the latest invocation of what is in order, itself included, and the earliest completion of
 * what is not. That is the window in which its rules look at clocks. Single-threaded.
 */
final class KeySearch {

    /** What a search says. */
    enum Answer {
        EXPLAINED,
        IMPOSSIBLE,
        UNDECIDED
    }

    private record Position(int floor, long done, TaskState state) {}

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

    private final Window window;
    private final int maxStates;

    private final KeyOperation[] known;
    private final long[] knownFrom;
    private final long[] knownUntil;
    private final KeyOperation[] unknown;
    private final long[] unknownFrom;

    /** Of the present constraint: the one may not come before the other. Empty, or two. */
    private final List<KeyOperation> order;

    /** What is supposed to have taken effect, and which that is. */
    private final @Nullable KeyOperation supposed;

    private final Effect supposedEffect;

    /**
     * What was tried where a position was come by. Who has tried less has more left to try, and no narrower windows: more of the same
     * is not looked at.
     */
    private final Map<Position, long[]> seen = new HashMap<>();

    private int states;
    private final Deque<Node> open = new ArrayDeque<>();
    private final List<TaskState> next = new ArrayList<>();

    private KeySearch(List<KeyOperation> operations, Constraint constraint, Window window, int maxStates) {
        this.window = window;
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

    /** By the time of invocation: one of them at most is out of its place. */
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

    static Answer search(List<KeyOperation> operations, Constraint constraint, Window window, int maxStates) {
        return new KeySearch(operations, constraint, window, maxStates).search();
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
        long[] before = seen.get(position);
        if (before == null) {
            seen.put(position, new long[] {tried});
        } else {
            for (long less : before) {
                if ((less & ~tried) == 0) {
                    return;
                }
            }
            long[] longer = Arrays.copyOf(before, before.length + 1);
            longer[before.length] = tried;
            seen.put(position, longer);
        }
        states++;
        open.push(new Node(position, tried));
    }

    /** Pushes all that may come next; false if that is more than can be told. */
    private boolean expand(Node node) {
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
            if ((node.tried & 1L << i) == 0 && mayComeNow(unknown[i], node)) {
                apply(node, unknown[i], Math.max(latestInvocation, unknownFrom[i]), earliestCompletion);
                for (TaskState state : next) {
                    if (!state.equals(node.state())) {
                        push(node.floor(), node.done(), node.tried | 1L << i, state);
                    }
                }
            }
        }
        // Last pushed is first looked at: what was invoked first.
        for (int i = end - 1; i >= node.floor(); i--) {
            if ((node.done() & 1L << (i - node.floor())) == 0
                    && knownFrom[i] <= earliestCompletion
                    && mayComeNow(known[i], node)) {
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
        KeyRules.apply(node.state(), effect, window.at(earliest, latest), next);
    }

    private long latestInvocation(Node node) {
        long latest = Long.MIN_VALUE / 4;
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
        int ones = Long.numberOfTrailingZeros(~done);
        push(node.floor() + ones, ones == Long.SIZE ? 0 : done >>> ones, node.tried, state);
    }

    private boolean mayComeNow(KeyOperation operation, Node node) {
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
