package io.taskmaster.client;

import java.util.List;

/**
 * What is known about queues. Immutable.
 *
 * @param total over all matched queues, shown or not; its names are empty
 * @param unreachableNodes not empty: good enough, not complete
 */
public record DescribeResult(List<QueueDescription> queues, QueueDescription total, List<String> unreachableNodes) {

    public DescribeResult {
        queues = List.copyOf(queues);
        unreachableNodes = List.copyOf(unreachableNodes);
    }
}
