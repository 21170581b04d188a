package io.taskmaster.client;

import java.util.List;
import java.util.Optional;

/**
 * Queues, ordered by group and name. Immutable.
 *
 * @param nextPageToken where the next page starts; absent: this was the last
 * @param unreachableNodes not empty: good enough, not complete
 */
public record ListResult(List<QueueSummary> queues, Optional<String> nextPageToken, List<String> unreachableNodes) {

    public ListResult {
        queues = List.copyOf(queues);
        unreachableNodes = List.copyOf(unreachableNodes);
    }
}
