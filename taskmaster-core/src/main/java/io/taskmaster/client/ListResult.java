package io.taskmaster.client;

import java.util.List;
import java.util.Optional;

/**
 * A page of queues, ordered by group and name. Immutable.
 *
 * @param queues the queues
 * @param nextPageToken the token of the next page; absent: this is the last
 * @param unreachableNodes the nodes that did not reply; if there are any, the result is incomplete
 */
public record ListResult(List<QueueSummary> queues, Optional<String> nextPageToken, List<String> unreachableNodes) {

    public ListResult {
        queues = List.copyOf(queues);
        unreachableNodes = List.copyOf(unreachableNodes);
    }
}
