package io.taskmaster.testkit.oracle.pass;

import io.taskmaster.testkit.oracle.model.Absences;
import io.taskmaster.testkit.oracle.model.Effect.Updated;
import io.taskmaster.testkit.oracle.model.Element.Renewal;
import io.taskmaster.testkit.oracle.model.KeyOperation;
import io.taskmaster.testkit.oracle.model.Projection;
import io.taskmaster.testkit.oracle.model.Projection.Atomic;
import io.taskmaster.testkit.oracle.model.Projection.Part;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.model.QueueHistory.Unassigned;
import io.taskmaster.testkit.oracle.model.RecordedOperation;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Peeking;
import io.taskmaster.testkit.oracle.model.Span;
import io.taskmaster.testkit.oracle.search.Constraint;
import io.taskmaster.testkit.oracle.search.Explainer;
import io.taskmaster.testkit.oracle.search.KeySearch.Answer;
import io.taskmaster.testkit.oracle.verdict.Finding;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.Promise;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pass over updates of several tasks: each takes effect on all of its tasks at one instant, or on none.
 *
 * <p>The tasks of an update are judged together by one derived bound. For each task, a binary search over the
 * completions of its other operations finds the earliest time by which the update must have taken effect for that task
 * to be explained. The smallest of these bounds is then imposed on every other task; if a task cannot be explained with
 * the update applied by then, the update was torn.
 *
 * <p>Peeks are checked likewise. A peek that shows several tasks of an update comes before the update or after it, for
 * all of them.
 *
 * <p>With a history that ends with a drain, an update that was certainly applied to one task must also account for its
 * enqueues without a PID. If its reply is unknown, and no operation ever saw the task in a queue without deletions
 * whose other tasks are all accounted for, the task was lost.
 *
 * <p>Renewals are exempt: they take effect even if the rest of the update is refused. Single-threaded.
 */
public final class AtomicityPass {

    private final Explainer explainer;
    private final boolean endsWithDrain;
    private final Findings findings;
    private int updates;

    public AtomicityPass(Explainer explainer, boolean endsWithDrain, Findings findings) {
        this.explainer = explainer;
        this.endsWithDrain = endsWithDrain;
        this.findings = findings;
    }

    public int updates() {
        return updates;
    }

    public void check(Projection projection) {
        for (Atomic atomic : projection.atomics) {
            List<Part> parts = atomic.parts().stream()
                    .filter(part -> !explainer.isSettled(part.key()))
                    .toList();
            if (!parts.isEmpty()) {
                updates++;
                if (!checkTimes(atomic, parts, projection)) {
                    checkPeeks(parts);
                }
            }
        }
    }

    /** Returns true if a finding was made. */
    private boolean checkTimes(Atomic atomic, List<Part> parts, Projection projection) {
        Part first = null;
        long deadline = atomic.update().span().until();
        for (Part part : parts) {
            long applied = appliedBy(part);
            if (applied < deadline) {
                deadline = applied;
                first = part;
            }
        }
        if (first == null) {
            return false;
        }
        for (Part part : parts) {
            // The bound of the first part holds for all parts, since the update takes effect at one instant.
            if (!part.equals(first)
                    && explainer.explain(part.key(), Constraint.applied(part.operation(), Long.MIN_VALUE, deadline))
                            == Answer.IMPOSSIBLE) {
                report(first, part, completedAt(first, deadline), "was applied to %s by then, but not to %s");
                return true;
            }
        }
        return endsWithDrain && checkUnseen(atomic, first, projection);
    }

    /** Reports an enqueue of an applied update that no operation ever saw, though the history ends with a drain. */
    private boolean checkUnseen(Atomic atomic, Part applied, Projection projection) {
        for (Unassigned unseen : atomic.unseen()) {
            for (QueueHistory queue : projection.queues.values()) {
                if (queue.unassigned.contains(unseen) && queue.deletes.isEmpty() && isAllAccountedFor(queue)) {
                    findings.add(new Finding(
                            Promise.NOTHING_LOST,
                            "the update was applied to %s, but the task that it enqueued in %s was never seen"
                                    .formatted(applied.key().key(), queue.id()),
                            List.of(atomic.update().span().call())));
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns whether the fate of every task that is named in the queue is known, so that none of them can be the
     * missing one.
     */
    private static boolean isAllAccountedFor(QueueHistory queue) {
        return !queue.unclear
                && queue.keys.stream().allMatch(key -> Absences.life(queue, key).from() != Span.FAR);
    }

    /**
     * Returns the time by which the update must have taken effect on this task: the first completion that proves it,
     * else its own completion.
     */
    private long appliedBy(Part part) {
        Span span = part.operation().span();
        boolean renews =
                ((Updated) part.operation().effect()).elements().stream().anyMatch(Renewal.class::isInstance);
        if (renews && span.isUnknown()) {
            return span.until(); // Renewals may be applied although the update is not.
        }
        long[] completions = part.key().operations().stream()
                .filter(operation -> operation != part.operation())
                .mapToLong(operation -> operation.span().until())
                .filter(until -> until >= span.from() && until < span.until())
                .sorted()
                .distinct()
                .toArray();
        if (completions.length == 0 || !mustBeAppliedBy(part, completions[completions.length - 1])) {
            return span.until();
        }
        // The predicate is monotonic: a later bound only excludes more orders. So a binary search suffices.
        int low = 0;
        int high = completions.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (mustBeAppliedBy(part, completions[middle])) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return completions[low];
    }

    private boolean mustBeAppliedBy(Part part, long micros) {
        return is(Answer.IMPOSSIBLE, part, Constraint.notBefore(part.operation(), micros + 1));
    }

    private void checkPeeks(List<Part> parts) {
        IdentityHashMap<RecordedOperation, List<Part>> partsByPeek = new IdentityHashMap<>();
        for (Part part : parts) {
            for (KeyOperation operation : part.key().operations()) {
                if (operation.source() instanceof Peeking peek
                        && operation.span().overlaps(part.operation().span())) {
                    partsByPeek.computeIfAbsent(peek, any -> new ArrayList<>(2)).add(part);
                }
            }
        }
        for (Map.Entry<RecordedOperation, List<Part>> entry : partsByPeek.entrySet()) {
            if (entry.getValue().size() > 1 && checkPeek(entry.getKey(), entry.getValue())) {
                return;
            }
        }
    }

    private boolean checkPeek(RecordedOperation peek, List<Part> parts) {
        Part applied = null;
        Part notApplied = null;
        for (Part part : parts) {
            KeyOperation observation = part.key().operations().stream()
                    .filter(operation -> operation.source().equals(peek))
                    .findFirst()
                    .orElseThrow();
            boolean renews =
                    ((Updated) part.operation().effect()).elements().stream().anyMatch(Renewal.class::isInstance);
            if (!renews && is(Answer.IMPOSSIBLE, part, Constraint.after(part.operation(), observation))) {
                applied = part;
            } else if (is(Answer.IMPOSSIBLE, part, Constraint.before(part.operation(), observation))) {
                notApplied = part;
            }
        }
        if (applied == null || notApplied == null) {
            return false;
        }
        report(applied, notApplied, peek.span().call(), "one peek shows it in %s, but not in %s");
        return true;
    }

    private boolean is(Answer answer, Part part, Constraint constraint) {
        return explainer.explain(part.key(), constraint) == answer;
    }

    private static long completedAt(Part part, long micros) {
        return part.key().operations().stream()
                .filter(operation -> operation.span().until() == micros)
                .mapToLong(operation -> operation.span().call())
                .findFirst()
                .orElse(0);
    }

    private void report(Part applied, Part notApplied, long witness, String format) {
        long update = applied.operation().span().call();
        findings.add(new Finding(
                Promise.ALL_OR_NOTHING,
                "update " + update + " "
                        + format.formatted(applied.key().key(), notApplied.key().key()),
                witness == 0 ? List.of(update) : List.of(update, witness)));
    }
}
