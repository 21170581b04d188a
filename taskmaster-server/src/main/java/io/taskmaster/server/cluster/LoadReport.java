package io.taskmaster.server.cluster;

import io.taskmaster.placement.NodeRef;
import io.taskmaster.placement.PartitionLoad;
import java.util.List;

/**
 * The loads that a node measured on the partitions that it serves. Immutable.
 *
 * @param node the node
 * @param beat the beat of its member cell at that time, which shows how old the report is
 * @param loads the loads, all served by that node
 */
public record LoadReport(NodeRef node, long beat, List<PartitionLoad> loads) {

    public LoadReport {
        loads = List.copyOf(loads);
        if (beat < 0) {
            throw new IllegalArgumentException("beat: %d (expected: not negative)".formatted(beat));
        }
        for (PartitionLoad load : loads) {
            if (!load.servedBy().equals(node)) {
                throw new IllegalArgumentException("load of partition %d: of %s (expected: of %s)"
                        .formatted(load.partition(), load.servedBy().ownerName(), node.ownerName()));
            }
        }
    }
}
