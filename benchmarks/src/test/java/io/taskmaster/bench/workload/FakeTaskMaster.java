package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterImplBase;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** As much of the service as the workloads need, in memory, under one lock; and, on request, wrong. Thread-safe. */
class FakeTaskMaster extends TaskMasterImplBase {

    private record Held(ByteString data, long leaseId) {}

    private final Map<ByteString, NavigableMap<ByteString, Held>> queues = new HashMap<>();
    private long ticket;

    /** Whether a task that has been leased may be leased again. */
    boolean leasesAgain() {
        return false;
    }

    /** Whether an enqueue is acknowledged and forgotten. */
    boolean forgets() {
        return false;
    }

    @Override
    public synchronized void updateTasks(UpdateRequest request, StreamObserver<UpdateReply> observer) {
        UpdateReply.Builder reply = UpdateReply.newBuilder().setSuccess(true);
        for (Dequeue dequeue : request.getDequeueList()) {
            Held held = queue(request.getGroup(), dequeue.getQueue()).get(dequeue.getPid());
            boolean isMine = held != null && held.leaseId() == dequeue.getLeaseId();
            if (isMine) {
                queue(request.getGroup(), dequeue.getQueue()).remove(dequeue.getPid());
            }
            reply.setSuccess(reply.getSuccess() && isMine).addDequeueStatus(isMine ? Status.OK : Status.LEASE_LOST);
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
        answer(observer, reply.build());
    }

    @Override
    public synchronized void leaseTasks(LeaseRequest request, StreamObserver<LeaseReply> observer) {
        LeaseReply.Builder reply = LeaseReply.newBuilder();
        ByteString name = request.getQueues().getNames(0);
        long leaseId = ++ticket;
        for (var entry : queue(request.getQueues().getGroup(), name).entrySet()) {
            if (reply.getTasksCount() == request.getMaxTasks()) {
                break;
            }
            if (entry.getValue().leaseId() == 0 || leasesAgain()) {
                entry.setValue(new Held(entry.getValue().data(), leaseId));
                reply.addTasks(LeasedTask.newBuilder()
                        .setQueue(name)
                        .setPid(entry.getKey())
                        .setData(entry.getValue().data())
                        .setLeaseId(leaseId)
                        .setAttempt(1));
            }
        }
        answer(observer, reply.build());
    }

    @Override
    public synchronized void listQueues(ListRequest request, StreamObserver<ListReply> observer) {
        answer(
                observer,
                ListReply.newBuilder().addQueues(summary(request.getQueues())).build());
    }

    @Override
    public synchronized void deleteQueues(DeleteRequest request, StreamObserver<DeleteReply> observer) {
        QueueSummary summary = summary(request.getQueues());
        queues.remove(key(request.getQueues().getGroup(), request.getQueues().getNames(0)));
        answer(observer, DeleteReply.newBuilder().addDeleted(summary).build());
    }

    private QueueSummary summary(QueueSelector selector) {
        int tasks = queue(selector.getGroup(), selector.getNames(0)).size();
        return QueueSummary.newBuilder().setAvailable(tasks).build();
    }

    private NavigableMap<ByteString, Held> queue(ByteString group, ByteString name) {
        return queues.computeIfAbsent(
                key(group, name), _ -> new TreeMap<>(ByteString.unsignedLexicographicalComparator()));
    }

    private static ByteString key(ByteString group, ByteString name) {
        return group.concat(ByteString.copyFromUtf8("/")).concat(name);
    }

    private static <T> void answer(StreamObserver<T> observer, T reply) {
        observer.onNext(reply);
        observer.onCompleted();
    }
}
