package io.taskmaster.testkit.oracle.pass;

import io.taskmaster.testkit.oracle.model.Effect;
import io.taskmaster.testkit.oracle.model.Effect.Granted;
import io.taskmaster.testkit.oracle.model.Effect.SeenThere;
import io.taskmaster.testkit.oracle.model.Effect.Updated;
import io.taskmaster.testkit.oracle.model.Element.Enqueuing;
import io.taskmaster.testkit.oracle.model.KeyHistory;
import io.taskmaster.testkit.oracle.model.KeyOperation;
import io.taskmaster.testkit.oracle.model.Payloads;
import io.taskmaster.testkit.oracle.model.Projection;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.model.RecordedOperation;
import io.taskmaster.testkit.oracle.search.Constraint;
import io.taskmaster.testkit.oracle.search.Explainer;
import io.taskmaster.testkit.oracle.search.KeySearch.Answer;
import io.taskmaster.testkit.oracle.search.Relaxation;
import io.taskmaster.testkit.oracle.verdict.Finding;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.Promise;
import java.util.List;
import java.util.Optional;

/**
 * A pass over single tasks: for each, some order of its operations must explain every reply.
 *
 * <p>If there is none, the pass diagnoses the failure in two steps. A binary search over the completions finds the
 * shortest prefix of the history that cannot be explained; the operation that completes it is the wrong one. The first
 * {@link Relaxation} that explains this prefix, alone or together with another, names the promise that is broken. Two
 * cases are decided before that: the drain at the end breaks {@link Promise#DRAINED}, and a task that no operation can
 * have enqueued breaks {@link Promise#NOTHING_UNEXPECTED}. If no relaxation helps, {@link Promise#ANSWERS_FIT} is
 * broken.
 *
 * <p>A task that is broken or undecided is settled in the {@link Explainer}, so that no later pass judges it again.
 * Single-threaded.
 */
public final class KeyPass {

    /** The number of calls before the wrong one that a finding names. */
    private static final int CALLS_NAMED = 6;

    private final Explainer explainer;
    private final Findings findings;

    /** The number of tasks that could not be decided. */
    private int undecided;

    public KeyPass(Explainer explainer, Findings findings) {
        this.explainer = explainer;
        this.findings = findings;
    }

    public int undecided() {
        return undecided;
    }

    public void check(Projection projection) {
        for (QueueHistory queue : projection.queues.values()) {
            for (KeyHistory key : queue.keys) {
                check(queue, key);
            }
        }
    }

    private void check(QueueHistory queue, KeyHistory key) {
        Answer answer = queue.unclear ? Answer.UNDECIDED : explainer.explain(key, Constraint.NONE);
        switch (answer) {
            case EXPLAINED -> {}
            case IMPOSSIBLE -> {
                explainer.settle(key);
                diagnose(key);
            }
            case UNDECIDED -> {
                explainer.settle(key);
                undecided++;
            }
        }
    }

    private void diagnose(KeyHistory key) {
        long horizon = shortestUnexplained(key);
        KeyOperation wrong = key.operations().stream()
                .filter(operation -> operation.span().until() == horizon)
                .findFirst()
                .orElseThrow();
        Promise promise = promise(key, wrong, horizon);
        List<KeyOperation> before = key.operations().stream()
                .filter(operation -> operation != wrong && operation.span().from() <= horizon)
                .toList();
        List<KeyOperation> named = before.subList(Math.max(0, before.size() - CALLS_NAMED), before.size());
        findings.add(new Finding(
                promise,
                "%s: no order of its operations explains %s; before: %s".formatted(key.key(), wrong, named),
                java.util.stream.Stream.concat(named.stream(), java.util.stream.Stream.of(wrong))
                        .map(operation -> operation.span().call())
                        .filter(call -> call > 0)
                        .toList()));
    }

    /** Returns the completion of the first operation that cannot be explained together with all before it. */
    private long shortestUnexplained(KeyHistory key) {
        long[] completions = key.operations().stream()
                .filter(operation -> !operation.span().isUnknown())
                .mapToLong(operation -> operation.span().until())
                .sorted()
                .distinct()
                .toArray();
        // Whatever extends an impossible prefix is impossible as well, so a binary search finds the shortest one.
        int low = 0;
        int high = completions.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (explainer.explain(key, Constraint.upTo(completions[middle])) == Answer.IMPOSSIBLE) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return completions[low];
    }

    private Promise promise(KeyHistory key, KeyOperation wrong, long horizon) {
        if (wrong.source() instanceof RecordedOperation.Drained) {
            return Promise.DRAINED;
        }
        if (isUnexpected(key, wrong)) {
            return Promise.NOTHING_UNEXPECTED;
        }
        return relaxed(key, horizon).map(Relaxation::promise).orElse(Promise.ANSWERS_FIT);
    }

    /**
     * Returns the first rule whose relaxation explains the task; if none does alone, the first of two that do together.
     */
    private Optional<Relaxation> relaxed(KeyHistory key, long horizon) {
        Relaxation[] rules = Relaxation.values();
        for (Relaxation rule : rules) {
            if (isExplained(key, horizon, rule, rule)) {
                return Optional.of(rule);
            }
        }
        for (Relaxation rule : rules) {
            for (Relaxation other : rules) {
                if (other.compareTo(rule) > 0 && isExplained(key, horizon, rule, other)) {
                    return Optional.of(rule);
                }
            }
        }
        return Optional.empty();
    }

    private boolean isExplained(KeyHistory key, long horizon, Relaxation rule, Relaxation other) {
        return explainer.explain(key, Constraint.upTo(horizon), rule, other) == Answer.EXPLAINED;
    }

    /** Returns whether the operation shows data that no enqueue had brought by then. */
    private static boolean isUnexpected(KeyHistory key, KeyOperation wrong) {
        int shownPayload = switch (wrong.effect()) {
            case Granted granted -> granted.payload();
            case SeenThere seen -> seen.payload();
            case Updated updated -> Payloads.NOT_SHOWN;
            case Effect.SeenAbsent absent -> Payloads.NOT_SHOWN;
            case Effect.Deleted deleted -> Payloads.NOT_SHOWN;
        };
        return shownPayload != Payloads.NOT_SHOWN
                && key.operations().stream()
                        .filter(operation ->
                                operation.span().from() <= wrong.span().until())
                        .noneMatch(operation -> operation.effect() instanceof Updated updated
                                && updated.elements().stream()
                                        .anyMatch(element -> element instanceof Enqueuing enqueuing
                                                && enqueuing.payload() == shownPayload));
    }
}
