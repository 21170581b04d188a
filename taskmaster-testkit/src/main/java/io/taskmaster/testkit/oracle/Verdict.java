package io.taskmaster.testkit.oracle;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the oracle says of a history. Immutable.
 *
 * @param findings empty if no promise was seen broken
 */
public record Verdict(List<Finding> findings, Checked checked) {

    public Verdict {
        findings = List.copyOf(findings);
    }

    /**
     * How much was looked at.
     *
     * @param calls all calls of the history
     * @param unknown calls whose outcome nobody was told
     * @param tasks (queue, PID)s that were ever seen or named
     * @param undecided those of them about which nothing is said, since there were too many orders to try, or more could have
     *     happened than the history tells
     * @param grants tasks handed out with a lease
     * @param reads what was said of the size of a queue
     * @param updates updates held to all or nothing
     */
    public record Checked(int calls, int unknown, int tasks, int undecided, int grants, int reads, int updates) {}

    public boolean isClean() {
        return findings.isEmpty();
    }

    /** The promises that were broken. */
    public Set<Promise> broken() {
        return findings.stream()
                .map(Finding::promise)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Promise.class)));
    }

    @Override
    public String toString() {
        String what = "%d calls, %d of unknown outcome; %d tasks (%d undecided), %d grants, %d sizes, %d atomic updates"
                .formatted(
                        checked.calls,
                        checked.unknown,
                        checked.tasks,
                        checked.undecided,
                        checked.grants,
                        checked.reads,
                        checked.updates);
        return isClean()
                ? "clean: " + what
                : findings.stream().map(Finding::toString).collect(Collectors.joining("\n", "", "\n")) + what;
    }
}
