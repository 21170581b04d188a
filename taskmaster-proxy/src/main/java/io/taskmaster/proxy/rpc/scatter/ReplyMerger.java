package io.taskmaster.proxy.rpc.scatter;

import io.taskmaster.command.Counts;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Ranking;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Verdict;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Merges of all partitions' replies into one: ordered by group and name, and cut at the limit of the request.
 * Thread-safe: stateless.
 */
public final class ReplyMerger {

    private static final Comparator<Reply.Summary> BY_QUEUE = Comparator.comparing(Reply.Summary::queue);

    private ReplyMerger() {}

    /**
     * Returns the more serious of two failures: an unknown outcome counts more than the certainty that one partition
     * did nothing.
     */
    static TaskMasterException failed(@Nullable TaskMasterException known, TaskMasterException next) {
        boolean unknown = next.code().advice() == ErrorCode.Advice.OUTCOME_UNKNOWN;
        return known == null || (unknown && known.code().advice() != ErrorCode.Advice.OUTCOME_UNKNOWN) ? next : known;
    }

    public static Reply.Listed listed(List<Reply.Listed> parts, int max) {
        var queues = new ArrayList<Reply.Summary>();
        boolean more = false;
        for (Reply.Listed part : parts) {
            queues.addAll(part.queues());
            more |= part.more();
        }
        queues.sort(BY_QUEUE);
        // Behind the last queue of a truncated partial reply, further queues of that partition are missing. The merged
        // page must end at the first such place, or the next page would skip them.
        Optional<QueueKey> known = parts.stream()
                .filter(part -> part.more() && !part.queues().isEmpty())
                .map(part -> part.queues().getLast().queue())
                .min(Comparator.naturalOrder());
        int end = Math.min(max, queues.size());
        while (end > 0 && known.isPresent() && queues.get(end - 1).queue().compareTo(known.get()) > 0) {
            end--;
        }
        return new Reply.Listed(List.copyOf(queues.subList(0, end)), more || end < queues.size());
    }

    public static Reply.Described described(List<Reply.Described> parts, int max) {
        var queues = new ArrayList<Reply.Description>();
        long matched = 0;
        for (Reply.Described part : parts) {
            queues.addAll(part.queues());
            matched += part.matched();
        }
        queues.sort(Comparator.comparing(Reply.Description::summary, BY_QUEUE));
        return new Reply.Described(
                List.copyOf(queues.subList(0, Math.min(max, queues.size()))),
                total(parts.stream().map(Reply.Described::total).toList()),
                matched);
    }

    public static Ranking.Page ranked(List<Ranking.Page> parts, Ranking.Question question) {
        var rows = new ArrayList<Ranking.Row>();
        long matched = 0;
        long remaining = 0;
        Verdict worst = Verdict.FINE;
        for (Ranking.Page part : parts) {
            rows.addAll(part.rows());
            matched += part.matched();
            remaining += part.remaining();
            worst = worst.or(part.worst());
        }
        rows.sort(Comparator.comparing(Ranking.Row::place, question.comparator()));
        return new Ranking.Page(
                rows.subList(0, Math.min(question.maxQueues(), rows.size())),
                total(parts.stream().map(Ranking.Page::total).toList()),
                matched,
                remaining,
                worst);
    }

    public static Reply.Deleted deleted(List<Reply.Deleted> parts) {
        var queues = new ArrayList<Reply.Summary>();
        for (Reply.Deleted part : parts) {
            queues.addAll(part.queues());
        }
        queues.sort(BY_QUEUE);
        return new Reply.Deleted(queues);
    }

    /**
     * Returns the total: sizes and rates are summed, the mean lease is weighted by the rate of dequeues, the oldest age
     * is the maximum.
     */
    private static Reply.Description total(List<Reply.Description> parts) {
        long available = 0;
        long leased = 0;
        long delayed = 0;
        double enqueueRate = 0;
        double leaseRate = 0;
        double dequeueRate = 0;
        double leaseMillis = 0;
        double leaseWeight = 0;
        Counts counts = Counts.NONE;
        Optional<Long> oldest = Optional.empty();
        for (Reply.Description total : parts) {
            available += total.summary().available();
            leased += total.summary().leased();
            delayed += total.summary().delayed();
            enqueueRate += total.enqueueRate();
            leaseRate += total.leaseRate();
            dequeueRate += total.dequeueRate();
            counts = counts.plus(total.counts());
            if (total.meanLeaseMillis().isPresent()) {
                // A rate that has decayed to zero still has a mean, which must have some weight.
                double weight = Math.max(total.dequeueRate(), Double.MIN_NORMAL);
                leaseMillis += weight * total.meanLeaseMillis().get();
                leaseWeight += weight;
            }
            oldest = larger(oldest, total.oldestAvailableAgeMillis());
        }
        return new Reply.Description(
                new Reply.Summary(new QueueKey(GroupName.EMPTY, QueueName.EMPTY), available, leased, delayed),
                enqueueRate,
                leaseRate,
                dequeueRate,
                leaseWeight > 0 ? Optional.of(leaseMillis / leaseWeight) : Optional.empty(),
                oldest,
                counts,
                0,
                QueueOptions.NONE,
                List.of());
    }

    private static Optional<Long> larger(Optional<Long> a, Optional<Long> b) {
        return a.isEmpty() || (b.isPresent() && b.get() > a.get()) ? b : a;
    }
}
