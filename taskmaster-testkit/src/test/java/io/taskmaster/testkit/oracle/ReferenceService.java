package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.taskmaster.testkit.oracle.model.Micros;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeaseSample;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.QueueOptions;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * A plain implementation of the contract: one group, sorted maps, every request applied at one instant. It may have a
 * {@link Bug}. Single-threaded.
 */
final class ReferenceService {

    private final Random random;
    private final Bug bug;
    final NavigableMap<ByteString, NavigableMap<ByteString, ReferenceTask>> queues =
            new TreeMap<>(QueueHistory.PID_ORDER);
    final Map<ByteString, UpdateReply> replies = new HashMap<>();
    private final Map<ByteString, QueueOptions> options = new HashMap<>();
    private long ids = 1_000;

    ReferenceService(Random random, Bug bug) {
        this.random = random;
        this.bug = bug;
    }

    /** Returns whether the bug shows this time. */
    boolean strikes(Bug kind) {
        return bug == kind && random.nextInt(4) == 0;
    }

    long nextId() {
        return ++ids;
    }

    /**
     * Applies a request.
     *
     * @param now milliseconds
     * @param unknown whether the reply will be lost
     */
    Message answer(Message request, long now, boolean unknown) {
        return switch (request) {
            case UpdateRequest update -> new ReferenceUpdate(this, update, now).run(unknown);
            case LeaseRequest lease -> lease(lease, now);
            case BatchRequest batch -> batch(batch, now, unknown);
            case PeekRequest peek -> peek(peek, now);
            case ListRequest list -> list(list, now);
            case DescribeRequest describe -> describe(describe, now);
            case DeleteRequest delete -> delete(delete, now);
            case ConfigureRequest configure -> {
                options.put(configure.getQueue(), configure.getOptions());
                yield ConfigureReply.getDefaultInstance();
            }
            default -> throw new IllegalArgumentException(request.toString());
        };
    }

    private BatchReply batch(BatchRequest batch, long now, boolean unknown) {
        BatchReply.Builder reply = BatchReply.newBuilder();
        for (BatchRequest.Operation operation : batch.getOperationsList()) {
            BatchReply.Result.Builder result = reply.addResultsBuilder();
            if (operation.hasUpdate()) {
                result.setUpdate((UpdateReply) answer(operation.getUpdate(), now, unknown));
            } else {
                result.setLease((LeaseReply) answer(operation.getLease(), now, unknown));
            }
        }
        return reply.build();
    }

    private static boolean chooses(QueueSelector selector, ByteString queue) {
        return (selector.getNamesCount() == 0 && selector.getNameRe().isEmpty())
                || selector.getNamesList().contains(queue)
                || queue.toStringUtf8().matches(selector.getNameRe());
    }

    private LeaseReply lease(LeaseRequest request, long now) {
        LeaseReply.Builder reply = LeaseReply.newBuilder();
        if (strikes(Bug.LEASE_NOTHING)) {
            return reply.build();
        }
        long id = strikes(Bug.REUSE_LEASE_IDS) ? ids - random.nextInt(3) : nextId();
        long expires = now + Micros.of(request.getLease()) / 1_000;
        queues.forEach((name, tasks) -> {
            if (chooses(request.getQueues(), name)) {
                long remaining = remainingLeases(name, tasks, request, now);
                for (Map.Entry<ByteString, ReferenceTask> entry : tasks.entrySet()) {
                    boolean within = !request.hasMaxPid()
                            || QueueHistory.PID_ORDER.compare(entry.getKey(), request.getMaxPid()) <= 0;
                    boolean free = entry.getValue().isAvailable(now)
                            || (strikes(Bug.LEASE_WHAT_IS_LEASED)
                                    && !entry.getValue().isDelayed(now))
                            || (strikes(Bug.IGNORE_DELAYS) && entry.getValue().isDelayed(now));
                    boolean more = reply.getTasksCount() < request.getMaxTasks() && remaining > 0;
                    if (within && free && more && !strikes(Bug.LEASE_OUT_OF_ORDER)) {
                        reply.addTasks(grant(name, entry.getKey(), entry.getValue(), id, expires));
                        remaining--;
                    }
                }
            }
        });
        return reply.build();
    }

    private LeasedTask grant(ByteString queue, ByteString pid, ReferenceTask task, long id, long expires) {
        task.attempt += strikes(Bug.MISCOUNT_ATTEMPTS) ? random.nextInt(2) * 2 : 1;
        task.leaseId = id;
        task.expires = expires;
        task.notBefore = 0;
        ByteString data = task.brought.getData();
        return LeasedTask.newBuilder()
                .setQueue(queue)
                .setPid(pid)
                .setData(strikes(Bug.CHANGE_DATA) ? data.concat(data) : data)
                .setLeaseId(id)
                .setLeaseExpires(timestamp(expires))
                .setAttempt(Math.max(1, task.attempt))
                .build();
    }

    private long remainingLeases(
            ByteString name, Map<ByteString, ReferenceTask> tasks, LeaseRequest request, long now) {
        QueueOptions queueOptions = options.getOrDefault(name, QueueOptions.getDefaultInstance());
        if (queueOptions.getPaused() && bug != Bug.IGNORE_PAUSES) {
            return 0;
        }
        long leased = tasks.values().stream().filter(task -> task.isLeased(now)).count();
        long cap = Math.min(
                request.getMaxLeasedPerQueue() == 0 ? Long.MAX_VALUE : request.getMaxLeasedPerQueue(),
                queueOptions.getMaxLeased() == 0 ? Long.MAX_VALUE : queueOptions.getMaxLeased());
        return cap == Long.MAX_VALUE || bug == Bug.IGNORE_CAPS ? Long.MAX_VALUE : cap - leased;
    }

    private PeekReply peek(PeekRequest request, long now) {
        PeekReply.Builder reply = PeekReply.newBuilder();
        NavigableMap<ByteString, ReferenceTask> tasks =
                queues.getOrDefault(request.getQueue(), new TreeMap<>(QueueHistory.PID_ORDER));
        for (Map.Entry<ByteString, ReferenceTask> entry :
                tasks.tailMap(request.getFromPid(), true).entrySet()) {
            if (reply.getTasksCount() == request.getMaxTasks()) {
                return reply.setNextPid(entry.getKey()).build();
            }
            ReferenceTask task = entry.getValue();
            PeekedTask.Builder seen =
                    reply.addTasksBuilder().setPid(entry.getKey()).setAttempt(task.attempt);
            if (request.getWithData()) {
                seen.setData(task.brought.getData());
            }
            if (task.isLeased(now)) {
                seen.setState(PeekedTask.State.LEASED).setUntil(timestamp(task.expires));
            } else if (task.isDelayed(now)) {
                seen.setState(PeekedTask.State.DELAYED).setUntil(timestamp(task.notBefore));
            }
        }
        return reply.build();
    }

    private ListReply list(ListRequest request, long now) {
        ListReply.Builder reply = ListReply.newBuilder();
        queues.keySet().stream()
                .filter(name -> chooses(request.getQueues(), name))
                .forEach(name -> reply.addQueues(summary(name, now)));
        return reply.build();
    }

    private DescribeReply describe(DescribeRequest request, long now) {
        DescribeReply.Builder reply = DescribeReply.newBuilder();
        QueueSummary.Builder total = QueueSummary.newBuilder();
        queues.forEach((name, tasks) -> {
            if (chooses(request.getQueues(), name)) {
                QueueSummary summary = summary(name, now);
                total.setAvailable(total.getAvailable() + summary.getAvailable())
                        .setLeased(total.getLeased() + summary.getLeased())
                        .setDelayed(total.getDelayed() + summary.getDelayed());
                QueueDescription.Builder queue = reply.addQueuesBuilder().setSummary(summary);
                tasks.forEach((pid, task) -> {
                    if (task.isLeased(now)) {
                        queue.addLeasedSample(LeaseSample.newBuilder()
                                .setPid(pid)
                                .setLeaseId(task.leaseId)
                                .setAttempt(task.attempt)
                                .setLeaseExpires(timestamp(task.expires)));
                    }
                });
            }
        });
        return reply.setTotal(QueueDescription.newBuilder().setSummary(total)).build();
    }

    private QueueSummary summary(ByteString name, long now) {
        var tasks =
                queues.getOrDefault(name, new TreeMap<>(QueueHistory.PID_ORDER)).values();
        return QueueSummary.newBuilder()
                .setName(name)
                .setAvailable(
                        tasks.stream().filter(task -> task.isAvailable(now)).count()
                                + (strikes(Bug.MISCOUNT_TASKS) ? 2 : 0))
                .setLeased(tasks.stream().filter(task -> task.isLeased(now)).count())
                .setDelayed(tasks.stream().filter(task -> task.isDelayed(now)).count())
                .build();
    }

    private DeleteReply delete(DeleteRequest request, long now) {
        DeleteReply.Builder reply = DeleteReply.newBuilder();
        queues.keySet().stream()
                .filter(name -> chooses(request.getQueues(), name))
                .toList()
                .forEach(name -> {
                    reply.addDeleted(summary(name, now));
                    if (!strikes(Bug.FORGET_A_DELETION)) {
                        queues.remove(name);
                    }
                });
        return reply.build();
    }

    static Timestamp timestamp(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, 1_000L))
                .setNanos((int) Math.floorMod(millis, 1_000L) * 1_000_000)
                .build();
    }
}
