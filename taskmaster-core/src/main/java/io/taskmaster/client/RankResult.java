package io.taskmaster.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A page of queues in order. Soft, as all of a server's introspection: the values of one queue may be older than those
 * of another. Immutable.
 *
 * @param at the time by the server's clock
 * @param queues the queues of the page
 * @param total the totals of all matching queues, on this page or not; its names are empty
 * @param matched the number of matching queues
 * @param before the number of matching queues before this page
 * @param nextPageToken the token of the next page; absent: this is the last
 * @param closedPartitions the number of partitions that do not serve at present, whose queues are missing
 * @param verdicts the verdict on each of the queues, in their order
 * @param worst the worst verdict on all matching queues, on this page or not
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
