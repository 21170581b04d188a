package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.QueueSummary;
import java.util.Optional;

/**
 * Where a walk over the pages of a listing is. Immutable.
 *
 * @param token of the next page
 * @param seen queues on the pages before it
 */
record Position(String token, int seen) {

    static final Position START = new Position("", 0);

    Position after(ListReply page) {
        return new Position(page.getNextPageToken(), seen + page.getQueuesCount());
    }

    /** What is wrong with the page that was found here; empty if its queues ascend, are whole, and with the last page are all. */
    Optional<String> fault(Population population, ListReply page) {
        boolean isLast = page.getNextPageToken().isEmpty();
        if (isLast ? seen + page.getQueuesCount() != population.queues() : page.getQueuesCount() != QueueProbes.PAGE) {
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
