package io.taskmaster.bench.target;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.stub.StreamObserver;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterImplBase;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A service that answers at once, with replies of the shape and size of TaskMaster's, and stores nothing. A lease
 * returns tasks that were never enqueued, whose data shares the bytes that the request allows. Thread-safe.
 */
final class EchoService extends TaskMasterImplBase {

    private final AtomicLong tickets = new AtomicLong();

    @Override
    public void updateTasks(UpdateRequest request, StreamObserver<UpdateReply> observer) {
        UpdateReply.Builder reply = UpdateReply.newBuilder().setSuccess(true);
        for (Enqueue enqueue : request.getEnqueueList()) {
            reply.addEnqueueStatus(Status.OK).addAssignedPid(enqueue.hasPid() ? enqueue.getPid() : pid());
        }
        for (int i = 0; i < request.getDequeueCount(); i++) {
            reply.addDequeueStatus(Status.OK);
        }
        observer.onNext(reply.build());
        observer.onCompleted();
    }

    @Override
    public void leaseTasks(LeaseRequest request, StreamObserver<LeaseReply> observer) {
        LeaseReply.Builder reply = LeaseReply.newBuilder();
        ByteString data =
                UnsafeByteOperations.unsafeWrap(new byte[request.getMaxBytes() / Math.max(1, request.getMaxTasks())]);
        for (int i = 0; i < request.getMaxTasks(); i++) {
            reply.addTasks(LeasedTask.newBuilder()
                    .setGroup(request.getQueues().getGroup())
                    .setQueue(request.getQueues().getNames(0))
                    .setPid(pid())
                    .setData(data)
                    .setLeaseId(tickets.get())
                    .setAttempt(1));
        }
        observer.onNext(reply.build());
        observer.onCompleted();
    }

    private ByteString pid() {
        byte[] bytes = new byte[Long.BYTES];
        ByteBuffer.wrap(bytes).putLong(tickets.incrementAndGet());
        return UnsafeByteOperations.unsafeWrap(bytes);
    }
}
