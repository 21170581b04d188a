package io.taskmaster.client;

import com.google.protobuf.ByteString;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.FlowReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.QueueFamily;
import io.taskmaster.v1.QueueFamilyName;
import io.taskmaster.v1.RankReply;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.wire.ErrorMapper;
import io.taskmaster.wire.TimeMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of the contract's replies to the types of the client. A value that this version does not know causes an
 * {@link IllegalArgumentException}. Stateless.
 */
final class ReplyMapper {

    private ReplyMapper() {}

    static UpdateResult update(UpdateReply reply) {
        return new UpdateResult(
                reply.getSuccess(),
                map(reply.getEnqueueStatusList(), ReplyMapper::status),
                map(reply.getDequeueStatusList(), ReplyMapper::status),
                map(reply.getRenewStatusList(), ReplyMapper::status),
                map(reply.getReleaseStatusList(), ReplyMapper::status),
                map(reply.getAssignedPidList(), ReplyMapper::pid));
    }

    private static UpdateResult.Status status(io.taskmaster.v1.Status status) {
        return switch (status) {
            case OK -> UpdateResult.Status.OK;
            case COLLAPSED -> UpdateResult.Status.COLLAPSED;
            case ALREADY_EXISTS -> UpdateResult.Status.ALREADY_EXISTS;
            case LEASED -> UpdateResult.Status.LEASED;
            case NOT_FOUND -> UpdateResult.Status.NOT_FOUND;
            case LEASE_LOST -> UpdateResult.Status.LEASE_LOST;
            case LEASE_EXPIRED -> UpdateResult.Status.LEASE_EXPIRED;
            case ABORTED -> UpdateResult.Status.ABORTED;
            case UNRECOGNIZED -> throw new IllegalArgumentException("status: unknown (expected: one of the contract)");
        };
    }

    static List<LeasedTask> lease(LeaseReply reply) {
        List<LeasedTask> tasks = new ArrayList<>(reply.getTasksCount());
        io.taskmaster.v1.@Nullable LeasedTask previous = null;
        @Nullable QueueKey queue = null;
        for (io.taskmaster.v1.LeasedTask task : reply.getTasksList()) {
            // Most replies are of one queue: all its tasks share one key.
            if (queue == null
                    || previous == null
                    || !previous.getQueue().equals(task.getQueue())
                    || !previous.getGroup().equals(task.getGroup())) {
                queue = queue(task.getGroup(), task.getQueue());
            }
            previous = task;
            tasks.add(new LeasedTask(
                    queue,
                    pid(task.getPid()),
                    data(task.getData()),
                    headers(task.getHeadersMap()),
                    task.getLeaseId(),
                    TimeMapper.toInstant(task.getLeaseExpires()),
                    task.getAttempt(),
                    TimeMapper.toInstant(task.getEnqueued())));
        }
        return tasks;
    }

    static List<BatchResult> batch(BatchReply reply) {
        return map(reply.getResultsList(), ReplyMapper::batched);
    }

    private static BatchResult batched(BatchReply.Result result) {
        return switch (result.getKindCase()) {
            case UPDATE -> new BatchResult.Updated(update(result.getUpdate()));
            case LEASE -> new BatchResult.Leased(lease(result.getLease()));
            case ERROR -> new BatchResult.Failed(ErrorMapper.fromResult(result.getError()));
            case KIND_NOT_SET ->
                throw new IllegalArgumentException("result: none (expected: a result of the contract)");
        };
    }

    static ListResult list(ListReply reply) {
        return new ListResult(
                map(reply.getQueuesList(), ReplyMapper::summary),
                Optional.of(reply.getNextPageToken()).filter(token -> !token.isEmpty()),
                reply.getUnreachableNodesList());
    }

    static DescribeResult describe(DescribeReply reply) {
        return new DescribeResult(
                map(reply.getQueuesList(), ReplyMapper::description),
                description(reply.getTotal()),
                reply.getUnreachableNodesList());
    }

    static RankResult rank(RankReply reply) {
        return new RankResult(
                TimeMapper.toInstant(reply.getAt()),
                map(reply.getQueuesList(), ReplyMapper::description),
                description(reply.getTotal()),
                reply.getMatched(),
                reply.getBefore(),
                Optional.of(reply.getNextPageToken()).filter(token -> !token.isEmpty()),
                reply.getClosedPartitions(),
                map(reply.getVerdictsList(), ReplyMapper::verdict),
                verdict(reply.getWorst()));
    }

    private static QueueVerdict verdict(io.taskmaster.v1.QueueVerdict verdict) {
        return switch (verdict) {
            // A newer server may have more verdicts.
            case VERDICT_FINE, UNRECOGNIZED -> QueueVerdict.FINE;
            case VERDICT_KEPT -> QueueVerdict.KEPT;
            case VERDICT_PAUSED -> QueueVerdict.PAUSED;
            case VERDICT_BEHIND -> QueueVerdict.BEHIND;
            case VERDICT_STUCK -> QueueVerdict.STUCK;
        };
    }

    static Flow flow(FlowReply reply) {
        List<Flow.Family> families = map(reply.getFamiliesList(), ReplyMapper::family);
        return new Flow(
                TimeMapper.toInstant(reply.getAt()),
                families,
                map(
                        reply.getHandOffsList(),
                        handOff -> new Flow.HandOffs(
                                nameOf(families, handOff.getFrom()),
                                nameOf(families, handOff.getTo()),
                                handOff.getTasks())),
                reply.getFamiliesLeftOut(),
                reply.getHandOffsLeftOut(),
                map(reply.getFindingsList(), ReplyMapper::finding));
    }

    private static Flow.Finding finding(io.taskmaster.v1.Finding finding) {
        return new Flow.Finding(
                verdict(finding.getVerdict()),
                name(finding.getFamily()),
                finding.getQueues(),
                finding.getTasks(),
                finding.getVerdict() == io.taskmaster.v1.QueueVerdict.VERDICT_STUCK
                        ? Optional.of(new QueueKey(
                                GroupName.wrap(finding.getQueueGroup().toByteArray()),
                                QueueName.wrap(finding.getQueue().toByteArray())))
                        : Optional.empty(),
                finding.getEnqueueRate(),
                finding.getDequeueRate(),
                finding.hasTimeLeft() ? Optional.of(TimeMapper.toDuration(finding.getTimeLeft())) : Optional.empty());
    }

    private static FamilyName nameOf(List<Flow.Family> families, int number) {
        if (number < 0 || number >= families.size()) {
            throw new IllegalArgumentException("family: index %s (expected: less than %d)"
                    .formatted(Integer.toUnsignedString(number), families.size()));
        }
        return families.get(number).name();
    }

    private static Flow.Family family(QueueFamily family) {
        return new Flow.Family(
                name(family.getName()),
                family.getQueues(),
                family.getAvailable(),
                family.getLeased(),
                family.getDelayed(),
                family.getEnqueued(),
                family.getLeases(),
                family.getDequeued(),
                family.getExpired(),
                family.getEnded());
    }

    private static FamilyName name(QueueFamilyName name) {
        return new FamilyName(
                name.getAnyGroup()
                        ? Optional.empty()
                        : Optional.of(GroupName.wrap(name.getGroup().toByteArray())),
                data(name.getHead()),
                name.getOpen(),
                data(name.getTail()));
    }

    private static QueueDescription description(io.taskmaster.v1.QueueDescription queue) {
        return new QueueDescription(
                summary(queue.getSummary()),
                queue.getEnqueueRate(),
                queue.getLeaseRate(),
                queue.getDequeueRate(),
                queue.hasMeanLeaseDuration()
                        ? Optional.of(TimeMapper.toDuration(queue.getMeanLeaseDuration()))
                        : Optional.empty(),
                queue.hasOldestAvailableAge()
                        ? Optional.of(TimeMapper.toDuration(queue.getOldestAvailableAge()))
                        : Optional.empty(),
                queue.getExpiredLeases(),
                queue.getGeneration(),
                queue.hasOptions() ? options(queue.getOptions()) : QueueOptions.DEFAULT,
                map(queue.getLeasedSampleList(), ReplyMapper::sample),
                Optional.of(queue.getNode()).filter(node -> !node.isEmpty()));
    }

    /**
     * Maps options. A limit beyond the range of an int becomes the largest int. A server older than weights sends none;
     * then it is 1.
     */
    private static QueueOptions options(io.taskmaster.v1.QueueOptions options) {
        int cap = options.getMaxLeased();
        return new QueueOptions(
                options.getPaused(), cap < 0 ? Integer.MAX_VALUE : cap, Math.max(1, options.getWeight()));
    }

    private static QueueDescription.LeaseSample sample(io.taskmaster.v1.LeaseSample sample) {
        return new QueueDescription.LeaseSample(
                pid(sample.getPid()),
                sample.getLeaseId(),
                sample.getWorker(),
                sample.getAddress(),
                TimeMapper.toInstant(sample.getLeased()),
                TimeMapper.toInstant(sample.getLeaseExpires()),
                sample.getAttempt());
    }

    static PeekResult peek(PeekReply reply) {
        return new PeekResult(
                map(reply.getTasksList(), ReplyMapper::peeked),
                Optional.of(pid(reply.getNextPid())).filter(next -> !next.isEmpty()));
    }

    private static PeekResult.PeekedTask peeked(io.taskmaster.v1.PeekedTask task) {
        return new PeekResult.PeekedTask(
                pid(task.getPid()),
                data(task.getData()),
                task.getDataBytes(),
                headers(task.getHeadersMap()),
                switch (task.getState()) {
                    case AVAILABLE -> PeekResult.State.AVAILABLE;
                    case LEASED -> PeekResult.State.LEASED;
                    case DELAYED -> PeekResult.State.DELAYED;
                    case UNRECOGNIZED ->
                        throw new IllegalArgumentException("state: unknown (expected: one of the contract)");
                },
                TimeMapper.toInstant(task.getEnqueued()),
                task.hasUntil() ? Optional.of(TimeMapper.toInstant(task.getUntil())) : Optional.empty(),
                task.getAttempt());
    }

    static List<QueueSummary> delete(DeleteReply reply) {
        return map(reply.getDeletedList(), ReplyMapper::summary);
    }

    private static QueueSummary summary(io.taskmaster.v1.QueueSummary queue) {
        return new QueueSummary(
                queue(queue.getGroup(), queue.getName()), queue.getAvailable(), queue.getLeased(), queue.getDelayed());
    }

    private static QueueKey queue(ByteString group, ByteString name) {
        return new QueueKey(GroupName.wrap(group.toByteArray()), QueueName.wrap(name.toByteArray()));
    }

    private static Pid pid(ByteString pid) {
        return Pid.wrap(pid.toByteArray());
    }

    private static Bytes data(ByteString data) {
        return Bytes.wrap(data.toByteArray());
    }

    private static Map<String, String> headers(Map<String, String> headers) {
        return headers.isEmpty() ? Map.of() : Map.copyOf(headers);
    }

    private static <T, R> List<R> map(List<T> from, Function<T, R> mapper) {
        if (from.isEmpty()) {
            return List.of();
        }
        List<R> to = new ArrayList<>(from.size());
        for (T element : from) {
            to.add(mapper.apply(element));
        }
        return to;
    }
}
