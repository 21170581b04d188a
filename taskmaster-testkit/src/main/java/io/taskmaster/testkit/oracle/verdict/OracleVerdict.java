package io.taskmaster.testkit.oracle.verdict;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The verdict of the oracle on a history. Immutable.
 *
 * @param findings empty if no promise was seen broken
 */
public record OracleVerdict(List<Finding> findings, Checked checked) {

    public OracleVerdict {
        findings = List.copyOf(findings);
    }

    /**
     * The extent of the check.
     *
     * @param calls all calls of the history
     * @param unknown calls of unknown outcome
     * @param tasks (queue, PID)s that were ever seen or named
     * @param undecided tasks that were not judged, since there were too many orders to try, or more could have happened
     *     than the history shows
     * @param grants tasks that were leased
     * @param reads reported sizes of queues that were checked
     * @param updates updates that were checked for atomicity
     */
    public record Checked(int calls, int unknown, int tasks, int undecided, int grants, int reads, int updates) {}

    public boolean isClean() {
        return findings.isEmpty();
    }

    /** Returns the promises that were broken. */
    public Set<Promise> broken() {
        return findings.stream()
                .map(Finding::promise)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Promise.class)));
    }

    @Override
    public String toString() {
        String summary =
                "%d calls, %d of unknown outcome; %d tasks (%d undecided), %d grants, %d sizes, %d atomic updates"
                        .formatted(
                                checked.calls,
                                checked.unknown,
                                checked.tasks,
                                checked.undecided,
                                checked.grants,
                                checked.reads,
                                checked.updates);
        return isClean()
                ? "clean: " + summary
                : findings.stream().map(Finding::toString).collect(Collectors.joining("\n", "", "\n")) + summary;
    }
}
