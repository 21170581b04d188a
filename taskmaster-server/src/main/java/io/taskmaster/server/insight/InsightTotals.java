package io.taskmaster.server.insight;

import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sums of events since the process began, as far as they are remembered, and the current sizes. Counts only grow,
 * also when partitions are reopened. Immutable.
 *
 * @param all all queues together; empty before the end of the first step
 * @param families the families that have a history and exist. A family that loses its history starts from zero if it
 *     gets another
 * @param queues the queues likewise
 * @param findings the findings on families, with a history or not, the most urgent first
 */
public record InsightTotals(
        Optional<FlowSummary> all,
        Map<FamilyName, FlowSummary> families,
        Map<QueueKey, FlowSummary> queues,
        List<FlowFinding> findings) {

    public InsightTotals {
        families = Map.copyOf(families);
        queues = Map.copyOf(queues);
        findings = List.copyOf(findings);
    }
}
