package io.taskmaster.harness.chaos.token;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.QueueOptions;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.UpdateRequest;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The part of a worker's load that would change the number of tokens, and so works on the side queues: a few PIDs that
 * all workers enqueue in every mode, leases that come to nothing, unconditional dequeues and releases, deletions and
 * options. It also reads every queue. Single-threaded.
 */
public final class SideWork {

    private static final int PIDS = 8;

    private final RecordingCaller recordingCaller;
    private final TokenRing tokenRing;
    private final SplittableRandom random;

    public SideWork(RecordingCaller recordingCaller, TokenRing tokenRing, SplittableRandom random) {
        this.recordingCaller = recordingCaller;
        this.tokenRing = tokenRing;
        this.random = random;
    }

    public void step() {
        int choice = random.nextInt(100);
        if (choice < 40) {
            enqueue();
        } else if (choice < 65) {
            lease();
        } else if (choice < 70) {
            byForce();
        } else if (choice < 73) {
            delete();
        } else if (choice < 79) {
            configure();
        } else if (choice < 86) {
            list();
        } else if (choice < 93) {
            describe();
        } else {
            peek();
        }
    }

    /** Enqueues some tasks in one update, possibly in two queues, so that all or none of them are applied. */
    private void enqueue() {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(group());
        for (int i = random.nextInt(3); i >= 0; i--) {
            Enqueue.Builder enqueue = Enqueue.newBuilder()
                    .setQueue(queue())
                    .setData(TokenRing.data("side", recordingCaller.nextEnqueue()))
                    .setIfExists(IfExists.forNumber(random.nextInt(4)));
            if (random.nextInt(5) > 0) {
                enqueue.setPid(pid());
            }
            if (random.nextInt(5) == 0) {
                enqueue.setNotBefore(Timestamps.fromMillis(System.currentTimeMillis() + random.nextInt(50, 3_000)));
            }
            update.addEnqueue(enqueue);
        }
        if (random.nextInt(4) == 0) {
            update.setRequestId(ByteString.copyFromUtf8(recordingCaller.nextEnqueue()));
        }
        UpdateRequest request = update.build();
        CallAnswer<?> callAnswer = recordingCaller.ask(stub -> stub.updateTasks(request));
        if (callAnswer instanceof CallAnswer.Unknown<?>
                && !request.getRequestId().isEmpty()) {
            recordingCaller.ask(stub -> stub.updateTasks(request));
        }
    }

    private void lease() {
        LeaseRequest.Builder lease = LeaseRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().setGroup(group()).addNames(queue()))
                .setMaxTasks(1 + random.nextInt(4))
                .setLease(Durations.fromMillis(random.nextInt(200, 4_000)))
                .setWorker(recordingCaller.name());
        if (random.nextInt(4) == 0) {
            lease.setWait(Durations.fromMillis(random.nextInt(20, 300)));
        }
        if (random.nextInt(4) == 0) {
            lease.setMaxPid(pid());
        }
        LeaseRequest request = lease.build();
        List<LeasedTask> leased = recordingCaller
                .ask(stub -> stub.leaseTasks(request))
                .known()
                .map(LeaseReply::getTasksList)
                .orElse(List.of());
        if (!leased.isEmpty()) {
            settle(leased);
        }
    }

    /** Settles all leased tasks in one update: if one lease is lost, the other tasks are kept. */
    private void settle(List<LeasedTask> leased) {
        UpdateRequest.Builder update =
                UpdateRequest.newBuilder().setGroup(leased.getFirst().getGroup());
        for (LeasedTask task : leased) {
            switch (random.nextInt(6)) {
                case 0 ->
                    update.addRelease(Release.newBuilder()
                            .setQueue(task.getQueue())
                            .setPid(task.getPid())
                            .setLeaseId(task.getLeaseId()));
                case 1 ->
                    update.addRenew(Renew.newBuilder()
                            .setQueue(task.getQueue())
                            .setPid(task.getPid())
                            .setLeaseId(task.getLeaseId())
                            .setLease(Durations.fromMillis(random.nextInt(200, 3_000))));
                default ->
                    update.addDequeue(Dequeue.newBuilder()
                            .setQueue(task.getQueue())
                            .setPid(task.getPid())
                            .setLeaseId(task.getLeaseId()));
            }
        }
        recordingCaller.ask(stub -> stub.updateTasks(update.build()));
    }

    /** Dequeues or releases a task by force, regardless of its lease. */
    private void byForce() {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(group());
        if (random.nextBoolean()) {
            update.addDequeue(Dequeue.newBuilder().setQueue(queue()).setPid(pid()));
        } else {
            update.addRelease(Release.newBuilder().setQueue(queue()).setPid(pid()));
        }
        recordingCaller.ask(stub -> stub.updateTasks(update.build()));
    }

    private void delete() {
        DeleteRequest request = DeleteRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().setGroup(group()).addNames(queue()))
                .build();
        recordingCaller.ask(stub -> stub.deleteQueues(request));
    }

    private void configure() {
        ConfigureRequest request = ConfigureRequest.newBuilder()
                .setGroup(group())
                .setQueue(queue())
                .setOptions(QueueOptions.newBuilder()
                        .setPaused(random.nextInt(4) == 0)
                        .setMaxLeased(random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0)
                        .setWeight(random.nextInt(4)))
                .build();
        recordingCaller.ask(stub -> stub.configureQueue(request));
    }

    private void list() {
        ListRequest request = ListRequest.newBuilder().setQueues(somewhere()).build();
        recordingCaller.ask(stub -> stub.listQueues(request));
    }

    private void describe() {
        DescribeRequest request = DescribeRequest.newBuilder()
                .setQueues(somewhere())
                .setLeasedSample(random.nextInt(5))
                .build();
        recordingCaller.ask(stub -> stub.describeQueues(request));
    }

    private void peek() {
        PeekRequest request = PeekRequest.newBuilder()
                .setGroup(group())
                .setQueue(random.nextBoolean() ? queue() : tokenRing.queue(random.nextInt(tokenRing.queues())))
                .setMaxTasks(1 + random.nextInt(40))
                .setWithData(random.nextBoolean())
                .build();
        recordingCaller.ask(stub -> stub.peekTasks(request));
    }

    private QueueSelector somewhere() {
        return random.nextInt(4) == 0
                ? QueueSelector.newBuilder().setAllGroups(true).build()
                : QueueSelector.newBuilder().setGroup(group()).build();
    }

    private ByteString group() {
        return TokenRing.GROUPS.get(random.nextInt(TokenRing.GROUPS.size()));
    }

    private ByteString queue() {
        return TokenRing.sideQueue(random.nextInt(TokenRing.SIDE_QUEUES));
    }

    private ByteString pid() {
        return ByteString.copyFromUtf8("p" + random.nextInt(PIDS));
    }
}
