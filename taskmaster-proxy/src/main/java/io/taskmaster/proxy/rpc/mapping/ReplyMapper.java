package io.taskmaster.proxy.rpc.mapping;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Verdict;
import io.taskmaster.model.Pid;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseSample;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.QueueVerdict;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import java.util.List;

/**
 * Mapping of partitions' replies to messages of the contract. Runs on the partitions' loops: no streams, no copies of
 * data. Thread-safe: stateless.
 */
public final class ReplyMapper {

    private static final int MILLIS_PER_SECOND = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private ReplyMapper() {}

    public static UpdateReply updated(Reply.Updated reply) {
        UpdateReply.Builder message = UpdateReply.newBuilder().setSuccess(reply.success());
        List<Reply.Status> enqueues = reply.enqueues();
        for (int i = 0; i < enqueues.size(); i++) {
            message.addEnqueueStatus(status(enqueues.get(i)));
        }
        List<Reply.Status> dequeues = reply.dequeues();
        for (int i = 0; i < dequeues.size(); i++) {
            message.addDequeueStatus(status(dequeues.get(i)));
        }
        List<Reply.Status> renewals = reply.renewals();
        for (int i = 0; i < renewals.size(); i++) {
            message.addRenewStatus(status(renewals.get(i)));
        }
        List<Reply.Status> releases = reply.releases();
        for (int i = 0; i < releases.size(); i++) {
            message.addReleaseStatus(status(releases.get(i)));
        }
        List<Pid> assigned = reply.assignedPids();
        for (int i = 0; i < assigned.size(); i++) {
            message.addAssignedPid(ProtoBytes.of(assigned.get(i)));
        }
        return message.build();
    }

    private static Status status(Reply.Status status) {
        return switch (status) {
            case OK -> Status.OK;
            case COLLAPSED -> Status.COLLAPSED;
            case ALREADY_EXISTS -> Status.ALREADY_EXISTS;
            case LEASED -> Status.LEASED;
            case NOT_FOUND -> Status.NOT_FOUND;
            case LEASE_LOST -> Status.LEASE_LOST;
            case LEASE_EXPIRED -> Status.LEASE_EXPIRED;
            case ABORTED -> Status.ABORTED;
        };
    }

    public static LeaseReply leased(Reply.Leased reply) {
        List<Reply.LeasedTask> tasks = reply.tasks();
        if (tasks.isEmpty()) {
            return LeaseReply.getDefaultInstance();
        }
        LeaseReply.Builder message = LeaseReply.newBuilder();
        for (int i = 0; i < tasks.size(); i++) {
            Reply.LeasedTask task = tasks.get(i);
            message.addTasks(LeasedTask.newBuilder()
                    .setGroup(ProtoBytes.of(task.queue().group()))
                    .setQueue(ProtoBytes.of(task.queue().name()))
                    .setPid(ProtoBytes.of(task.pid()))
                    .setData(ProtoBytes.of(task.payload().data()))
                    .putAllHeaders(task.payload().headers())
                    .setLeaseId(task.leaseId())
                    .setLeaseExpires(timestamp(task.expiresMillis()))
                    .setAttempt(task.attempt())
                    .setEnqueued(timestamp(task.enqueuedMillis())));
        }
        return message.build();
    }

    public static ListReply listed(Reply.Listed reply) {
        ListReply.Builder message = ListReply.newBuilder();
        for (Reply.Summary queue : reply.queues()) {
            message.addQueues(summary(queue));
        }
        if (reply.more() && !reply.queues().isEmpty()) {
            message.setNextPageToken(PageToken.of(reply.queues().getLast().queue()));
        }
        return message.build();
    }

    public static DescribeReply described(Reply.Described reply, String node) {
        DescribeReply.Builder message = DescribeReply.newBuilder();
        for (Reply.Description queue : reply.queues()) {
            message.addQueues(description(queue).setNode(node));
        }
        return message.setTotal(total(reply.total())).build();
    }

    /** Returns a description of several queues: they have neither a name in common nor options. */
    public static QueueDescription.Builder total(Reply.Description total) {
        QueueDescription.Builder message = description(total);
        message.clearOptions().getSummaryBuilder().clearGroup().clearName();
        return message;
    }

    public static QueueDescription.Builder description(Reply.Description queue) {
        QueueDescription.Builder message = QueueDescription.newBuilder()
                .setSummary(summary(queue.summary()))
                .setEnqueueRate(queue.enqueueRate())
                .setLeaseRate(queue.leaseRate())
                .setDequeueRate(queue.dequeueRate())
                .setExpiredLeases(queue.counts().expired())
                .setGeneration(queue.generation())
                .setOptions(io.taskmaster.v1.QueueOptions.newBuilder()
                        .setPaused(queue.options().paused())
                        .setMaxLeased((int) queue.options().maxLeased())
                        .setWeight(queue.options().weight()));
        queue.meanLeaseMillis().ifPresent(mean -> message.setMeanLeaseDuration(duration(Math.round(mean))));
        queue.oldestAvailableAgeMillis().ifPresent(age -> message.setOldestAvailableAge(duration(age)));
        for (Reply.LeaseSample sample : queue.leasedSample()) {
            message.addLeasedSample(LeaseSample.newBuilder()
                    .setPid(ProtoBytes.of(sample.pid()))
                    .setLeaseId(sample.leaseId())
                    .setWorker(sample.worker())
                    .setAddress(sample.address())
                    .setLeased(timestamp(sample.leasedMillis()))
                    .setLeaseExpires(timestamp(sample.expiresMillis()))
                    .setAttempt(sample.attempt()));
        }
        return message;
    }

    public static PeekReply peeked(Reply.Peeked reply) {
        PeekReply.Builder message = PeekReply.newBuilder();
        for (Reply.PeekedTask task : reply.tasks()) {
            PeekedTask.Builder peeked = message.addTasksBuilder()
                    .setPid(ProtoBytes.of(task.pid()))
                    .setData(ProtoBytes.of(task.payload().data()))
                    .setDataBytes(task.dataBytes())
                    .putAllHeaders(task.payload().headers())
                    .setState(
                            switch (task.phase()) {
                                case AVAILABLE -> PeekedTask.State.AVAILABLE;
                                case LEASED -> PeekedTask.State.LEASED;
                                case DELAYED -> PeekedTask.State.DELAYED;
                            })
                    .setEnqueued(timestamp(task.enqueuedMillis()))
                    .setAttempt(task.attempt());
            if (task.untilMillis() != 0) {
                peeked.setUntil(timestamp(task.untilMillis()));
            }
        }
        reply.next().ifPresent(next -> message.setNextPid(ProtoBytes.of(next)));
        return message.build();
    }

    public static DeleteReply deleted(Reply.Deleted reply) {
        DeleteReply.Builder message = DeleteReply.newBuilder();
        for (Reply.Summary queue : reply.queues()) {
            message.addDeleted(summary(queue));
        }
        return message.build();
    }

    private static QueueSummary summary(Reply.Summary queue) {
        return QueueSummary.newBuilder()
                .setGroup(ProtoBytes.of(queue.queue().group()))
                .setName(ProtoBytes.of(queue.queue().name()))
                .setAvailable(queue.available())
                .setLeased(queue.leased())
                .setDelayed(queue.delayed())
                .build();
    }

    private static Timestamp timestamp(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, MILLIS_PER_SECOND))
                .setNanos(Math.floorMod(millis, MILLIS_PER_SECOND) * NANOS_PER_MILLI)
                .build();
    }

    private static Duration duration(long millis) {
        return Duration.newBuilder()
                .setSeconds(millis / MILLIS_PER_SECOND)
                .setNanos((int) (millis % MILLIS_PER_SECOND) * NANOS_PER_MILLI)
                .build();
    }

    public static QueueVerdict verdict(Verdict verdict) {
        return switch (verdict) {
            case FINE -> QueueVerdict.VERDICT_FINE;
            case KEPT -> QueueVerdict.VERDICT_KEPT;
            case PAUSED -> QueueVerdict.VERDICT_PAUSED;
            case BEHIND -> QueueVerdict.VERDICT_BEHIND;
            case STUCK -> QueueVerdict.VERDICT_STUCK;
        };
    }
}
