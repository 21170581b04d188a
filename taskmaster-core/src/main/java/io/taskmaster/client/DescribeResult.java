package io.taskmaster.client;

import java.util.List;

/**
 * The description of queues. Immutable.
 *
 * @param queues the queues that are shown
 * @param total the totals of all matching queues, shown or not; its names are empty
 * @param unreachableNodes the nodes that did not reply; if there are any, the result is incomplete
 */
public record DescribeResult(List<QueueDescription> queues, QueueDescription total, List<String> unreachableNodes) {

    public DescribeResult {
        queues = List.copyOf(queues);
        unreachableNodes = List.copyOf(unreachableNodes);
    }
}
