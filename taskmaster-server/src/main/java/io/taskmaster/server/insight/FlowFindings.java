package io.taskmaster.server.insight;

import io.taskmaster.command.Counts;
import io.taskmaster.command.Verdict;
import io.taskmaster.model.FamilyName;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.flow.FlowSnapshot.Node;
import io.taskmaster.server.engine.flow.Waits.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The computation of findings from two snapshots of the flow: families in which tasks wait. A family has several
 * findings if its queues have several verdicts. Stateless.
 */
final class FlowFindings {

    /**
     * The most urgent verdict first; among equal ones, the longest backlog in time, then the largest number of tasks.
     */
    private static final Comparator<FlowFinding> MOST_URGENT_FIRST = Comparator.comparing(FlowFinding::verdict)
            .thenComparingDouble(flowFinding -> flowFinding.verdict() == Verdict.BEHIND ? flowFinding.secondsLeft() : 0)
            .thenComparingLong(FlowFinding::tasks)
            .reversed();

    private static final double MILLIS_PER_SECOND = 1_000;

    private FlowFindings() {}

    /**
     * Returns all findings, the most urgent first.
     *
     * @param before a snapshot up to a minute older; the same as {@code now} if there is none
     * @param spanMillis the time between the two
     */
    static List<FlowFinding> of(FlowSnapshot before, FlowSnapshot now, long spanMillis) {
        Map<FamilyName, Counts> former = new HashMap<>();
        before.nodes().forEach(family -> former.put(family.name(), family.counts()));
        double seconds = Math.max(1, spanMillis) / MILLIS_PER_SECOND;
        List<FlowFinding> findings = new ArrayList<>();
        for (Node family : now.nodes()) {
            // Counts of a reopened partition restart from zero: negative differences count as zero.
            Counts recent = family.counts()
                    .minus(former.getOrDefault(family.name(), Counts.NONE))
                    .gained();
            add(findings, family, recent, seconds);
        }
        findings.sort(MOST_URGENT_FIRST);
        return findings;
    }

    private static void add(List<FlowFinding> findings, Node family, Counts recent, double seconds) {
        add(findings, Verdict.STUCK, family, family.waits().stuck(), recent, seconds);
        add(findings, Verdict.PAUSED, family, family.waits().paused(), recent, seconds);
        add(findings, Verdict.KEPT, family, family.waits().kept(), recent, seconds);
        long others = Math.max(0, family.available() - family.waits().tasks());
        boolean isWorkedOn = family.leased() > 0 || recent.leases() > 0;
        if (Verdict.isBehind(others, isWorkedOn, recent.dequeued() / seconds)) {
            add(findings, Verdict.BEHIND, family, new Tally(family.queues(), others), recent, seconds);
        }
    }

    private static void add(
            List<FlowFinding> findings, Verdict verdict, Node family, Tally tally, Counts recent, double seconds) {
        if (tally.tasks() > 0) {
            findings.add(new FlowFinding(
                    verdict,
                    family.name(),
                    tally.queues(),
                    tally.tasks(),
                    verdict == Verdict.STUCK ? family.waits().stuckLongest() : Optional.empty(),
                    recent.enqueued() / seconds,
                    recent.dequeued() / seconds));
        }
    }
}
