package io.taskmaster.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.taskmaster.model.ByteSequence;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ClearingRequest;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.UpdateRequest;
import io.taskmaster.wire.TimeMapper;
import java.util.List;

/** The mapping of the client's requests to those of the contract. Byte strings are passed without a copy. Stateless. */
final class RequestMapper {

    private RequestMapper() {}

    static UpdateRequest update(Update update) {
        UpdateRequest.Builder request = UpdateRequest.newBuilder()
                .setGroup(bytes(update.group()))
                .setServiceClass(serviceClass(update.serviceClass()));
        update.requestId().ifPresent(id -> request.setRequestId(bytes(id.value())));
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
            request.addRelease(release(release));
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
        task.notBefore().ifPresent(time -> enqueue.setNotBefore(TimeMapper.toProto(time)));
        return enqueue.setIfExists(
                        switch (task.ifExists()) {
                            case COLLAPSE -> io.taskmaster.v1.IfExists.COLLAPSE;
                            case REPLACE -> io.taskmaster.v1.IfExists.REPLACE;
                            case RERUN -> io.taskmaster.v1.IfExists.RERUN;
                            case FAIL -> io.taskmaster.v1.IfExists.FAIL;
                        })
                .build();
    }

    private static Release release(Update.Release release) {
        Release.Builder element = Release.newBuilder()
                .setQueue(bytes(release.queue()))
                .setPid(bytes(release.pid()))
                .setLeaseId(release.leaseId())
                .setUntried(release.untried());
        release.notBefore().ifPresent(time -> element.setNotBefore(TimeMapper.toProto(time)));
        return element.build();
    }

    private static io.taskmaster.v1.ServiceClass serviceClass(ServiceClass serviceClass) {
        return switch (serviceClass) {
            case INTERACTIVE -> io.taskmaster.v1.ServiceClass.INTERACTIVE;
            case BULK -> io.taskmaster.v1.ServiceClass.BULK;
        };
    }

    /**
     * Maps a lease.
     *
     * @param worker the name of the worker if the request has none
     */
    static io.taskmaster.v1.LeaseRequest lease(LeaseRequest lease, String worker) {
        var request = io.taskmaster.v1.LeaseRequest.newBuilder()
                .setQueues(selector(lease.queues()))
                .setMaxTasks(lease.maxTasks())
                .setLease(TimeMapper.toProto(lease.length()))
                .setMaxBytes(lease.maxBytes())
                .setWorker(lease.worker().orElse(worker))
                .setMaxLeasedPerQueue(lease.maxLeasedPerQueue())
                .setServiceClass(serviceClass(lease.serviceClass()));
        lease.maxPid().ifPresent(pid -> request.setMaxPid(bytes(pid)));
        if (!lease.maxWait().isZero()) {
            request.setWait(TimeMapper.toProto(lease.maxWait()));
        }
        return request.build();
    }

    /**
     * Maps a batch.
     *
     * @param worker the name of the worker for leases that have none
     */
    static BatchRequest batch(List<BatchOperation> operations, String worker) {
        BatchRequest.Builder request = BatchRequest.newBuilder();
        for (BatchOperation operation : operations) {
            request.addOperations(
                    switch (operation) {
                        case Update update ->
                            BatchRequest.Operation.newBuilder().setUpdate(update(update));
                        case LeaseRequest lease ->
                            BatchRequest.Operation.newBuilder().setLease(lease(lease, worker));
                    });
        }
        return request.build();
    }

    static io.taskmaster.v1.ListRequest list(ListRequest list) {
        var request = io.taskmaster.v1.ListRequest.newBuilder()
                .setQueues(selector(list.queues()))
                .setMinTasks(list.minTasks())
                .setMinAvailable(list.minAvailable())
                .setMaxQueues(list.maxQueues())
                .setConfigured(list.configured());
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

    static io.taskmaster.v1.RankRequest rank(RankRequest rank) {
        var request = io.taskmaster.v1.RankRequest.newBuilder()
                .setQueues(selector(rank.queues()))
                .setOrder(order(rank.order()))
                .setDescending(rank.descending())
                .setMaxQueues(rank.maxQueues());
        rank.pageToken().ifPresent(request::setPageToken);
        return request.build();
    }

    private static io.taskmaster.v1.QueueOrder order(QueueOrder order) {
        return switch (order) {
            case NAME -> io.taskmaster.v1.QueueOrder.QUEUE_NAME;
            case AVAILABLE -> io.taskmaster.v1.QueueOrder.QUEUE_AVAILABLE;
            case LEASED -> io.taskmaster.v1.QueueOrder.QUEUE_LEASED;
            case DELAYED -> io.taskmaster.v1.QueueOrder.QUEUE_DELAYED;
            case TASKS -> io.taskmaster.v1.QueueOrder.QUEUE_TASKS;
            case OLDEST -> io.taskmaster.v1.QueueOrder.QUEUE_OLDEST;
            case ENQUEUE_RATE -> io.taskmaster.v1.QueueOrder.QUEUE_ENQUEUE_RATE;
            case LEASE_RATE -> io.taskmaster.v1.QueueOrder.QUEUE_LEASE_RATE;
            case DEQUEUE_RATE -> io.taskmaster.v1.QueueOrder.QUEUE_DEQUEUE_RATE;
            case EXPIRED_LEASES -> io.taskmaster.v1.QueueOrder.QUEUE_EXPIRED_LEASES;
        };
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

    static ConfigureRequest configure(QueueKey queue, QueueOptions options) {
        return ConfigureRequest.newBuilder()
                .setGroup(bytes(queue.group()))
                .setQueue(bytes(queue.name()))
                .setOptions(io.taskmaster.v1.QueueOptions.newBuilder()
                        .setPaused(options.paused())
                        .setMaxLeased(options.maxLeased())
                        .setWeight(options.weight()))
                .build();
    }

    private static io.taskmaster.v1.QueueSelector selector(QueueSelector queues) {
        var selector = io.taskmaster.v1.QueueSelector.newBuilder();
        queues.group().ifPresentOrElse(group -> selector.setGroup(bytes(group)), () -> selector.setAllGroups(true));
        queues.names().forEach(name -> selector.addNames(bytes(name)));
        queues.pattern().ifPresent(selector::setNameRe);
        selector.setWithoutDeadLetters(queues.leavesOutDeadLetters());
        return selector.build();
    }

    static ClearingRequest clearing(GroupName group, List<QueueName> queues) {
        ClearingRequest.Builder message = ClearingRequest.newBuilder().setGroup(bytes(group));
        queues.forEach(queue -> message.addQueues(bytes(queue)));
        return message.build();
    }

    private static ByteString bytes(ByteSequence sequence) {
        return sequence.isEmpty() ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(sequence.unsafeArray());
    }
}
