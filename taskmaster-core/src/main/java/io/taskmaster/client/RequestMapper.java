package io.taskmaster.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.taskmaster.model.ByteSequence;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.UpdateRequest;
import io.taskmaster.wire.TimeMapper;

/** Requests in our words to requests of the contract. Byte strings are handed over without a copy. Stateless. */
final class RequestMapper {

    private RequestMapper() {}

    static UpdateRequest update(Update update) {
        UpdateRequest.Builder request = UpdateRequest.newBuilder().setGroup(bytes(update.group()));
        for (Update.Enqueue enqueue : update.enqueues()) {
            request.addEnqueue(enqueue(enqueue));
        }
        for (Update.Dequeue dequeue : update.dequeues()) {
            request.addDequeue(Dequeue.newBuilder()
                    .setQueue(bytes(dequeue.queue()))
                    .setPid(bytes(dequeue.pid()))
                    .setLeaseId(dequeue.leaseId()));
        }
        for (Update.Renewal renewal : update.renewals()) {
            request.addRenew(Renew.newBuilder()
                    .setQueue(bytes(renewal.queue()))
                    .setPid(bytes(renewal.pid()))
                    .setLeaseId(renewal.leaseId())
                    .setLease(TimeMapper.toProto(renewal.length())));
        }
        for (Update.Release release : update.releases()) {
            request.addRelease(Release.newBuilder()
                    .setQueue(bytes(release.queue()))
                    .setPid(bytes(release.pid()))
                    .setLeaseId(release.leaseId()));
        }
        return request.build();
    }

    private static Enqueue enqueue(Update.Enqueue task) {
        Enqueue.Builder enqueue =
                Enqueue.newBuilder().setQueue(bytes(task.queue())).setData(bytes(task.data()));
        task.pid().ifPresent(pid -> enqueue.setPid(bytes(pid)));
        if (!task.headers().isEmpty()) {
            enqueue.putAllHeaders(task.headers());
        }
        return enqueue.setIfExists(
                        switch (task.ifExists()) {
                            case COLLAPSE -> io.taskmaster.v1.IfExists.COLLAPSE;
                            case REPLACE -> io.taskmaster.v1.IfExists.REPLACE;
                            case FAIL -> io.taskmaster.v1.IfExists.FAIL;
                        })
                .build();
    }

    /**
     * @param worker the name for requests that bring none
     */
    static io.taskmaster.v1.LeaseRequest lease(LeaseRequest lease, String worker) {
        var request = io.taskmaster.v1.LeaseRequest.newBuilder()
                .setQueues(selector(lease.queues()))
                .setMaxTasks(lease.maxTasks())
                .setLease(TimeMapper.toProto(lease.length()))
                .setMaxBytes(lease.maxBytes())
                .setWorker(lease.worker().orElse(worker));
        lease.maxPid().ifPresent(pid -> request.setMaxPid(bytes(pid)));
        if (!lease.maxWait().isZero()) {
            request.setWait(TimeMapper.toProto(lease.maxWait()));
        }
        return request.build();
    }

    static io.taskmaster.v1.ListRequest list(ListRequest list) {
        var request = io.taskmaster.v1.ListRequest.newBuilder()
                .setQueues(selector(list.queues()))
                .setMinTasks(list.minTasks())
                .setMinAvailable(list.minAvailable())
                .setMaxQueues(list.maxQueues());
        list.pageToken().ifPresent(request::setPageToken);
        return request.build();
    }

    static io.taskmaster.v1.DescribeRequest describe(DescribeRequest describe) {
        return io.taskmaster.v1.DescribeRequest.newBuilder()
                .setQueues(selector(describe.queues()))
                .setLeasedSample(describe.leasedSample())
                .setMaxQueues(describe.maxQueues())
                .build();
    }

    static io.taskmaster.v1.PeekRequest peek(PeekRequest peek) {
        return io.taskmaster.v1.PeekRequest.newBuilder()
                .setGroup(bytes(peek.queue().group()))
                .setQueue(bytes(peek.queue().name()))
                .setFromPid(bytes(peek.from()))
                .setMaxTasks(peek.maxTasks())
                .setWithData(peek.withData())
                .setMaxBytes(peek.maxBytes())
                .build();
    }

    static io.taskmaster.v1.DeleteRequest delete(QueueSelector queues) {
        return io.taskmaster.v1.DeleteRequest.newBuilder()
                .setQueues(selector(queues))
                .build();
    }

    private static io.taskmaster.v1.QueueSelector selector(QueueSelector queues) {
        var selector = io.taskmaster.v1.QueueSelector.newBuilder();
        queues.group().ifPresentOrElse(group -> selector.setGroup(bytes(group)), () -> selector.setAllGroups(true));
        queues.names().forEach(name -> selector.addNames(bytes(name)));
        queues.pattern().ifPresent(selector::setNameRe);
        return selector.build();
    }

    private static ByteString bytes(ByteSequence sequence) {
        return sequence.isEmpty() ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(sequence.unsafeArray());
    }
}
