package io.taskmaster.cli;

import com.google.protobuf.Message;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A fake of the service of the contract, for tests of the requests that commands send. It records requests and answers
 * as the test says; updates succeed in all their elements. Thread-safe.
 */
final class FakeContract extends TaskMasterGrpc.TaskMasterImplBase implements AutoCloseable {

    final List<Message> requests = new CopyOnWriteArrayList<>();
    volatile LeaseReply leased = LeaseReply.getDefaultInstance();
    volatile DescribeReply described = DescribeReply.getDefaultInstance();
    volatile PeekReply peeked = PeekReply.getDefaultInstance();
    private final Server server;

    FakeContract() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .addService(this)
                .build()
                .start();
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void updateTasks(UpdateRequest request, StreamObserver<UpdateReply> sink) {
        UpdateReply.Builder reply = UpdateReply.newBuilder().setSuccess(true);
        request.getEnqueueList()
                .forEach(task -> reply.addEnqueueStatus(Status.OK).addAssignedPid(task.getPid()));
        request.getDequeueList().forEach(any -> reply.addDequeueStatus(Status.OK));
        request.getRenewList().forEach(any -> reply.addRenewStatus(Status.OK));
        request.getReleaseList().forEach(any -> reply.addReleaseStatus(Status.OK));
        answer(request, reply.build(), sink);
    }

    @Override
    public void leaseTasks(LeaseRequest request, StreamObserver<LeaseReply> sink) {
        answer(request, leased, sink);
    }

    @Override
    public void describeQueues(DescribeRequest request, StreamObserver<DescribeReply> sink) {
        answer(request, described, sink);
    }

    @Override
    public void peekTasks(PeekRequest request, StreamObserver<PeekReply> sink) {
        answer(request, peeked, sink);
    }

    @Override
    public void configureQueue(ConfigureRequest request, StreamObserver<ConfigureReply> sink) {
        answer(request, ConfigureReply.getDefaultInstance(), sink);
    }

    private <T> void answer(Message request, T reply, StreamObserver<T> sink) {
        requests.add(request);
        sink.onNext(reply);
        sink.onCompleted();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
