package io.taskmaster.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A page of queues in order. Soft, as all that a server says of itself beside the contract: what is said of one queue may be of a moment before
 * that of another. Immutable.
 *
 * @param at by the server's clock
 * @param total over all queues that match, on this page or not; its names are empty
 * @param matched how many these are
 * @param before how many of them come before this page
 * @param nextPageToken where the next page starts; absent: this was the last
 * @param closedPartitions not 0: so many partitions do not serve at present, and their queues are missing
 * @param verdicts of each of the queues, in their order
 * @param worst of all that match, on this page or not
 */
public record RankResult(
        Instant at,
        List<QueueDescription> queues,
        QueueDescription total,
        long matched,
        long before,
        Optional<String> nextPageToken,
        int closedPartitions,
        List<QueueVerdict> verdicts,
        QueueVerdict worst) {

    public RankResult {
        queues = List.copyOf(queues);
        verdicts = List.copyOf(verdicts);
    }
}
