package io.taskmaster.testkit.oracle.pass;

import io.taskmaster.testkit.oracle.model.Absences;
import io.taskmaster.testkit.oracle.model.Interval;
import io.taskmaster.testkit.oracle.model.Operations;
import io.taskmaster.testkit.oracle.model.Projection;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.model.QueueId;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Deleting;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Describing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Listing;
import io.taskmaster.testkit.oracle.model.Span;
import io.taskmaster.testkit.oracle.search.Certainties;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pass over the sizes of queues: a reported size is that of some instant of the call.
 *
 * <p>It is at least the number of tasks that were certainly there during the whole call, and at most the number of
 * those that may have been there at any time of it. Lower bounds also hold for available and for leased tasks alone.
 *
 * <p>A reply reports an unnamed queue as empty if it covers that queue. A page of a list covers the queues behind the
 * last one of the page before, up to its own last one. A reply with unreachable nodes covers none, and neither does one
 * to a request for at least two tasks, or for any available task. Single-threaded.
 */
public final class SizePass {

    private static final int DEFAULT_DESCRIBED = 100;

    /** Bounds on the size of a queue. */
    private record Bounds(long present, long available, long leased, long possible) {}

    /**
     * The range of queues that a reply covers: a queue in it that is not named is reported as empty.
     *
     * @param any false if the reply covers no queue
     * @param behind the queue before the range; null: from the first
     * @param until the last queue of the range; null: to the last
     */
    private record Covered(
            boolean any, @Nullable QueueId behind, @Nullable QueueId until) {

        static final Covered ALL = new Covered(true, null, null);
        static final Covered NONE = new Covered(false, null, null);

        boolean contains(QueueId queue) {
            return any
                    && (behind == null || queue.compareTo(behind) > 0)
                    && (until == null || queue.compareTo(until) <= 0);
        }
    }

    private final Projection projection;
    private final Certainties certainties;
    private final Findings findings;
    private int reads;

    /** The last queue of each page, by the token of the page that follows. */
    private final Map<String, QueueId> pages = new HashMap<>();

    public SizePass(Projection projection, Certainties certainties, Findings findings) {
        this.projection = projection;
        this.certainties = certainties;
        this.findings = findings;
    }

    public int reads() {
        return reads;
    }

    public void check(Operations operations) {
        for (Listing list : operations.lists) {
            if (list.reply().getQueuesCount() > 0
                    && !list.reply().getNextPageToken().isEmpty()) {
                pages.put(list.reply().getNextPageToken(), last(list.reply()));
            }
        }
        operations.lists.forEach(this::list);
        operations.descriptions.forEach(this::describe);
        operations.deletes.forEach(this::delete);
    }

    private void list(Listing list) {
        ListRequest request = list.request();
        ListReply reply = list.reply();
        boolean all = reply.getUnreachableNodesCount() == 0
                && Long.compareUnsigned(request.getMinTasks(), 1) <= 0
                && request.getMinAvailable() == 0;
        QueueId behind = pages.get(request.getPageToken());
        boolean begun = request.getPageToken().isEmpty() || behind != null;
        boolean more = !reply.getNextPageToken().isEmpty();
        Covered covered = all && begun && (!more || reply.getQueuesCount() > 0)
                ? new Covered(true, behind, more ? last(reply) : null)
                : Covered.NONE;
        summaries(list.span(), reply.getQueuesList(), request.getQueues(), covered);
    }

    private static QueueId last(ListReply reply) {
        QueueSummary last = reply.getQueues(reply.getQueuesCount() - 1);
        return new QueueId(last.getGroup(), last.getName());
    }

    private void describe(Describing describe) {
        List<QueueSummary> summaries = describe.reply().getQueuesList().stream()
                .map(QueueDescription::getSummary)
                .toList();
        int max = describe.request().getMaxQueues() == 0
                ? DEFAULT_DESCRIBED
                : describe.request().getMaxQueues();
        boolean complete = describe.reply().getUnreachableNodesCount() == 0;
        QueueSelector selector = describe.request().getQueues();
        summaries(
                describe.span(), summaries, selector, complete && summaries.size() < max ? Covered.ALL : Covered.NONE);
        if (complete && describe.reply().hasTotal()) {
            total(describe, selector);
        }
    }

    private void total(Describing describe, QueueSelector selector) {
        Bounds sum = new Bounds(0, 0, 0, 0);
        for (QueueHistory queue : projection.chosen(selector)) {
            Bounds one = bounds(queue, describe.span());
            sum = new Bounds(
                    sum.present + one.present,
                    sum.available + one.available,
                    sum.leased + one.leased,
                    sum.possible == Span.FAR || one.possible == Span.FAR ? Span.FAR : sum.possible + one.possible);
        }
        check("in all", describe.span(), describe.reply().getTotal().getSummary(), sum);
    }

    private void delete(Deleting delete) {
        DeleteReply reply = delete.reply();
        if (reply != null) {
            summaries(delete.span(), reply.getDeletedList(), delete.request().getQueues(), Covered.NONE);
        }
    }

    private void summaries(Span span, List<QueueSummary> summaries, QueueSelector selector, Covered covered) {
        Set<QueueId> named = new HashSet<>();
        for (QueueSummary summary : summaries) {
            QueueId id = new QueueId(summary.getGroup(), summary.getName());
            named.add(id);
            QueueHistory queue = projection.queues.get(id);
            check(id.toString(), span, summary, queue == null ? new Bounds(0, 0, 0, 0) : bounds(queue, span));
        }
        for (QueueHistory queue : projection.chosen(selector)) {
            if (covered.contains(queue.id()) && !named.contains(queue.id())) {
                check(queue.id().toString(), span, QueueSummary.getDefaultInstance(), bounds(queue, span));
            }
        }
    }

    private void check(String subject, Span span, QueueSummary reported, Bounds bounds) {
        reads++;
        long total = reported.getAvailable() + reported.getLeased() + reported.getDelayed();
        if (total < bounds.present
                || total > bounds.possible
                || reported.getAvailable() < bounds.available
                || reported.getLeased() < bounds.leased) {
            findings.add(
                    Promise.SIZES_ARE_EXACT,
                    span.call(),
                    "%s: reported as %d available, %d leased, %d delayed (expected: %d to %d, at least %d available, %d leased)"
                            .formatted(
                                    subject,
                                    reported.getAvailable(),
                                    reported.getLeased(),
                                    reported.getDelayed(),
                                    bounds.present,
                                    bounds.possible,
                                    bounds.available,
                                    bounds.leased));
        }
    }

    private Bounds bounds(QueueHistory queue, Span span) {
        if (queue.unclear) {
            return new Bounds(0, 0, 0, Span.FAR);
        }
        Certainties.OfQueue certain = certainties.of(queue);
        // An enqueue of unknown outcome may have added a task that no client has seen.
        long possible = queue.unassigned.stream()
                .filter(enqueue -> enqueue.update().span().from() <= span.until())
                .count();
        for (Absences.Life life : certain.lives()) {
            possible += life.from() <= span.until() && life.until() >= span.from() ? 1 : 0;
        }
        return new Bounds(
                count(certain.present(), span),
                count(certain.available(), span),
                count(certain.leased(), span),
                possible);
    }

    private static long count(List<Interval> intervals, Span span) {
        long count = 0;
        for (Interval interval : intervals) {
            // Intervals are sorted by their beginning, and one that begins during the call does not cover it.
            if (interval.from() >= span.from()) {
                break;
            }
            count += interval.covers(span) ? 1 : 0;
        }
        return count;
    }
}
