package io.taskmaster.server.insight;

import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happened since the process began, as far as it is remembered, and what there is. Numbers only grow, whatever becomes of partitions. Immutable.
 *
 * @param all queues together; empty before the first step is over
 * @param families those with a history that are there. One that loses it begins anew if it gets another
 * @param queues likewise
 * @param findings what is to be said of families, with a history or not, the most urgent first
 */
public record Totals(
        Optional<Standing> all,
        Map<FamilyName, Standing> families,
        Map<QueueKey, Standing> queues,
        List<Finding> findings) {

    public Totals {
        families = Map.copyOf(families);
        queues = Map.copyOf(queues);
        findings = List.copyOf(findings);
    }
}
