package io.taskmaster.bench.workload.queues;

import com.google.protobuf.ByteString;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.QueueSummary;
import java.util.Optional;

/**
 * The position of a listing between two pages. Immutable.
 *
 * @param token the page token of the next page
 * @param listed the number of queues on the pages before it
 */
record Position(String token, int listed) {

    static final Position START = new Position("", 0);

    Position after(ListReply page) {
        return new Position(page.getNextPageToken(), listed + page.getQueuesCount());
    }

    /**
     * Returns the fault of the page that was listed at this position; empty if its queues ascend, each has the right
     * number of tasks, and the last page completes the population.
     */
    Optional<String> fault(Population population, ListReply page) {
        boolean isLast = page.getNextPageToken().isEmpty();
        if (isLast
                ? listed + page.getQueuesCount() != population.queues()
                : page.getQueuesCount() != QueueProbes.PAGE) {
            return Optional.of("check: queues are missing in a listing, or too many");
        }
        ByteString before = ByteString.EMPTY;
        for (QueueSummary summary : page.getQueuesList()) {
            if (ByteString.unsignedLexicographicalComparator().compare(before, summary.getName()) >= 0) {
                return Optional.of("check: a page is not in order");
            }
            before = summary.getName();
            Optional<String> fault = population.fault(summary);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }
}
