package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterImplBase;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A service in memory with as much of the contract as the workloads need, under one lock. Subclasses make it answer
 * wrongly. Thread-safe.
 */
public class FakeTaskMaster extends TaskMasterImplBase {

    private static final Comparator<ByteString> ORDER = ByteString.unsignedLexicographicalComparator();

    private record Held(ByteString data, long leaseId) {}

    private final Map<ByteString, NavigableMap<ByteString, NavigableMap<ByteString, Held>>> groups = new HashMap<>();
    private long ticket;

    /** Returns whether a leased task may be leased again. */
    boolean leasesAgain() {
        return false;
    }

    /** Returns whether enqueues are acknowledged but not stored. */
    boolean forgets() {
        return false;
    }

    /** Returns whether an update is refused for overload. */
    boolean isOverloaded(UpdateRequest request) {
        return false;
    }

    @Override
    public synchronized void updateTasks(UpdateRequest request, StreamObserver<UpdateReply> observer) {
        if (isOverloaded(request)) {
            observer.onError(io.grpc.Status.RESOURCE_EXHAUSTED.asException());
            return;
        }
        UpdateReply.Builder reply = UpdateReply.newBuilder().setSuccess(true);
        for (Dequeue dequeue : request.getDequeueList()) {
            Held held = queue(request.getGroup(), dequeue.getQueue()).get(dequeue.getPid());
            boolean isOwn = held != null && held.leaseId() == dequeue.getLeaseId();
            if (isOwn) {
                queue(request.getGroup(), dequeue.getQueue()).remove(dequeue.getPid());
            }
            reply.setSuccess(reply.getSuccess() && isOwn).addDequeueStatus(isOwn ? Status.OK : Status.LEASE_LOST);
        }
        for (Enqueue enqueue : request.getEnqueueList()) {
            NavigableMap<ByteString, Held> queue = queue(request.getGroup(), enqueue.getQueue());
            ByteString pid = enqueue.hasPid() ? enqueue.getPid() : Pids.of(++ticket);
            boolean isFree = !queue.containsKey(pid) || enqueue.getIfExists() == IfExists.REPLACE;
            if (isFree && !forgets()) {
                queue.put(pid, new Held(enqueue.getData(), 0));
            }
            reply.addEnqueueStatus(isFree ? Status.OK : Status.COLLAPSED).addAssignedPid(pid);
        }
        for (Release release : request.getReleaseList()) {
            boolean isOwn = queue(request.getGroup(), release.getQueue())
                            .computeIfPresent(release.getPid(), (_, held) -> new Held(held.data(), 0))
                    != null;
            reply.addReleaseStatus(isOwn ? Status.OK : Status.LEASE_LOST);
        }
        answer(observer, reply.build());
    }

    @Override
    public synchronized void leaseTasks(LeaseRequest request, StreamObserver<LeaseReply> observer) {
        LeaseReply.Builder reply = LeaseReply.newBuilder();
        long leaseId = ++ticket;
        chosen(request.getQueues())
                .forEach((name, queue) -> queue.entrySet().stream()
                        .filter(entry -> entry.getValue().leaseId() == 0 || leasesAgain())
                        .limit(request.getMaxTasks() - reply.getTasksCount())
                        .forEach(entry -> {
                            entry.setValue(new Held(entry.getValue().data(), leaseId));
                            reply.addTasks(LeasedTask.newBuilder()
                                    .setQueue(name)
                                    .setPid(entry.getKey())
                                    .setData(entry.getValue().data())
                                    .setLeaseId(leaseId)
                                    .setAttempt(1));
                        }));
        answer(observer, reply.build());
    }

    @Override
    public synchronized void listQueues(ListRequest request, StreamObserver<ListReply> observer) {
        ListReply.Builder reply = ListReply.newBuilder();
        int max = request.getMaxQueues() == 0 ? 1000 : request.getMaxQueues();
        ByteString from = ByteString.copyFromUtf8(request.getPageToken());
        for (var queue : chosen(request.getQueues()).tailMap(from, false).entrySet()) {
            if (reply.getQueuesCount() == max) {
                reply.setNextPageToken(reply.getQueues(max - 1).getName().toStringUtf8());
                break;
            }
            reply.addQueues(summary(queue));
        }
        answer(observer, reply.build());
    }

    @Override
    public synchronized void describeQueues(DescribeRequest request, StreamObserver<DescribeReply> observer) {
        DescribeReply.Builder reply = DescribeReply.newBuilder();
        long total = 0;
        for (var queue : chosen(request.getQueues()).entrySet()) {
            if (reply.getQueuesCount() < Math.max(1, request.getMaxQueues())) {
                reply.addQueues(QueueDescription.newBuilder().setSummary(summary(queue)));
            }
            total += queue.getValue().size();
        }
        reply.setTotal(QueueDescription.newBuilder()
                .setSummary(QueueSummary.newBuilder().setAvailable(total)));
        answer(observer, reply.build());
    }

    @Override
    public synchronized void deleteQueues(DeleteRequest request, StreamObserver<DeleteReply> observer) {
        DeleteReply.Builder reply = DeleteReply.newBuilder();
        for (var queue : chosen(request.getQueues()).entrySet()) {
            reply.addDeleted(summary(queue));
            group(request.getQueues().getGroup()).remove(queue.getKey());
        }
        answer(observer, reply.build());
    }

    /** Returns a copy of the map, but not of its queues; empty queues are left out. */
    private NavigableMap<ByteString, NavigableMap<ByteString, Held>> chosen(QueueSelector selector) {
        NavigableMap<ByteString, NavigableMap<ByteString, Held>> chosen = new TreeMap<>(ORDER);
        boolean isWholeGroup =
                selector.getNamesCount() == 0 && selector.getNameRe().isEmpty();
        Pattern pattern = Pattern.compile(isWholeGroup ? ".*" : selector.getNameRe());
        group(selector.getGroup()).forEach((name, queue) -> {
            boolean isNamed = selector.getNamesList().contains(name)
                    || pattern.matcher(name.toStringUtf8()).matches();
            if (isNamed && !queue.isEmpty()) {
                chosen.put(name, queue);
            }
        });
        return chosen;
    }

    private static QueueSummary summary(Map.Entry<ByteString, NavigableMap<ByteString, Held>> queue) {
        return QueueSummary.newBuilder()
                .setName(queue.getKey())
                .setAvailable(queue.getValue().size())
                .build();
    }

    private NavigableMap<ByteString, Held> queue(ByteString group, ByteString name) {
        return group(group).computeIfAbsent(name, _ -> new TreeMap<>(ORDER));
    }

    private NavigableMap<ByteString, NavigableMap<ByteString, Held>> group(ByteString name) {
        return groups.computeIfAbsent(name, _ -> new TreeMap<>(ORDER));
    }

    private static <T> void answer(StreamObserver<T> observer, T reply) {
        observer.onNext(reply);
        observer.onCompleted();
    }
}
