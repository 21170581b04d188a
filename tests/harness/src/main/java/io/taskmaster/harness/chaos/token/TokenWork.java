package io.taskmaster.harness.chaos.token;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.ServiceClass;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The part of a worker's load that hands tokens to the next queue of their ring, in every way that keeps their number.
 * Each dequeue names its lease, and is in one update with the enqueue of the same token. So an update of unknown
 * outcome may be sent again. Single-threaded.
 */
public final class TokenWork {

    private static final int MAX_REPETITIONS = 3;

    private final RecordingCaller recordingCaller;
    private final TokenRing tokenRing;
    private final SplittableRandom random;

    public TokenWork(RecordingCaller recordingCaller, TokenRing tokenRing, SplittableRandom random) {
        this.recordingCaller = recordingCaller;
        this.tokenRing = tokenRing;
        this.random = random;
    }

    /** Leases some tasks, and does something with each. */
    public void step() throws InterruptedException {
        LeaseRequest request = lease().build();
        List<LeasedTask> leased = recordingCaller
                .ask(stub -> stub.leaseTasks(request))
                .known()
                .map(LeaseReply::getTasksList)
                .orElse(List.of());
        work(leased);
    }

    private void work(List<LeasedTask> leased) throws InterruptedException {
        Map<ByteString, List<LeasedTask>> handOffsByGroup = new HashMap<>();
        for (LeasedTask task : leased) {
            int choice = random.nextInt(100);
            // From 6 to 9 the task is abandoned: it becomes available when its lease expires.
            if (choice < 6) {
                release(task);
            } else if (choice >= 10) {
                if (choice < 18) {
                    renew(task);
                }
                handOffsByGroup
                        .computeIfAbsent(task.getGroup(), _ -> new ArrayList<>())
                        .add(task);
            }
        }
        if (random.nextInt(8) == 0) {
            // Long enough for some leases to expire.
            TimeUnit.MILLISECONDS.sleep(random.nextInt(800));
        }
        for (Map.Entry<ByteString, List<LeasedTask>> group : handOffsByGroup.entrySet()) {
            sendHandOff(group.getKey(), group.getValue());
        }
    }

    private LeaseRequest.Builder lease() {
        LeaseRequest.Builder lease = LeaseRequest.newBuilder()
                .setQueues(queues())
                .setMaxTasks(1 + random.nextInt(6))
                .setLease(millis(random.nextInt(5) == 0 ? between(100, 700) : between(1_000, 6_000)))
                .setWorker(recordingCaller.name())
                .setServiceClass(serviceClass());
        if (random.nextBoolean()) {
            lease.setWait(millis(between(20, 1_000)));
        }
        if (random.nextInt(12) == 0) {
            lease.setMaxLeasedPerQueue(1 + random.nextInt(20));
        }
        return lease;
    }

    private QueueSelector queues() {
        QueueSelector.Builder queues = QueueSelector.newBuilder();
        if (random.nextInt(12) == 0) {
            queues.setAllGroups(true);
        } else {
            queues.setGroup(TokenRing.GROUPS.get(random.nextInt(TokenRing.GROUPS.size())));
        }
        if (random.nextInt(4) == 0) {
            return queues.setNameRe(TokenRing.PATTERN).build();
        }
        for (int i = random.nextInt(2); i >= 0; i--) {
            queues.addNames(tokenRing.queue(random.nextInt(tokenRing.queues())));
        }
        return queues.build();
    }

    private void release(LeasedTask task) {
        Release.Builder release = Release.newBuilder()
                .setQueue(task.getQueue())
                .setPid(task.getPid())
                .setLeaseId(task.getLeaseId())
                .setUntried(random.nextInt(3) == 0);
        if (random.nextBoolean()) {
            release.setNotBefore(notBefore());
        }
        UpdateRequest update = UpdateRequest.newBuilder()
                .setGroup(task.getGroup())
                .addRelease(release)
                .build();
        recordingCaller.ask(stub -> stub.updateTasks(update));
    }

    private void renew(LeasedTask task) {
        UpdateRequest update = UpdateRequest.newBuilder()
                .setGroup(task.getGroup())
                .addRenew(Renew.newBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid())
                        .setLeaseId(task.getLeaseId())
                        .setLease(millis(between(500, 5_000))))
                .build();
        recordingCaller.ask(stub -> stub.updateTasks(update));
    }

    /** Hands off some tasks in each update; now and then sends all updates as a batch. */
    private void sendHandOff(ByteString group, List<LeasedTask> tasks) {
        List<UpdateRequest> updates = new ArrayList<>();
        int from = 0;
        while (from < tasks.size()) {
            int to = Math.min(tasks.size(), from + 1 + random.nextInt(3));
            updates.add(handOffUpdate(group, tasks.subList(from, to)));
            from = to;
        }
        if (random.nextInt(8) == 0) {
            sendAsBatch(group, updates);
        } else {
            updates.forEach(this::send);
        }
    }

    private UpdateRequest handOffUpdate(ByteString group, List<LeasedTask> tasks) {
        UpdateRequest.Builder update =
                UpdateRequest.newBuilder().setGroup(group).setServiceClass(serviceClass());
        for (LeasedTask task : tasks) {
            update.addDequeue(Dequeue.newBuilder()
                    .setQueue(task.getQueue())
                    .setPid(task.getPid())
                    .setLeaseId(task.getLeaseId()));
            update.addEnqueue(next(task));
        }
        if (random.nextInt(3) == 0) {
            update.setRequestId(ByteString.copyFromUtf8(recordingCaller.nextEnqueue()));
        }
        return update.build();
    }

    private Enqueue.Builder next(LeasedTask task) {
        String label = TokenRing.labelOf(task.getData());
        Enqueue.Builder enqueue = Enqueue.newBuilder()
                .setQueue(tokenRing.after(task.getQueue()))
                .setData(TokenRing.data(label, recordingCaller.nextEnqueue()))
                .putAllHeaders(task.getHeadersMap());
        if (random.nextBoolean()) {
            // No other token has this PID, so any mode will do.
            enqueue.setPid(ByteString.copyFromUtf8("%02x-%s".formatted(random.nextInt(256), label)))
                    .setIfExists(IfExists.forNumber(random.nextInt(4)));
        }
        if (random.nextInt(12) == 0) {
            enqueue.setNotBefore(notBefore());
        }
        return enqueue;
    }

    private void send(UpdateRequest update) {
        for (int i = 0; i <= MAX_REPETITIONS; i++) {
            boolean settled = switch (recordingCaller.ask(stub -> stub.updateTasks(update))) {
                case CallAnswer.Known<?> _ -> true;
                // A task whose worker stops retrying is left to its next lease.
                case CallAnswer.Refused<?> _, CallAnswer.Unknown<?> _ -> random.nextInt(5) == 0;
            };
            if (settled) {
                return;
            }
        }
    }

    private void sendAsBatch(ByteString group, List<UpdateRequest> updates) {
        BatchRequest.Builder batch = BatchRequest.newBuilder();
        updates.forEach(update -> batch.addOperationsBuilder().setUpdate(update));
        LeaseRequest more = LeaseRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder()
                        .setGroup(group)
                        .addNames(tokenRing.queue(random.nextInt(tokenRing.queues()))))
                .setMaxTasks(2)
                .setLease(millis(between(500, 3_000)))
                .setWorker(recordingCaller.name())
                .build();
        BatchRequest request = batch.addOperations(
                        BatchRequest.Operation.newBuilder().setLease(more))
                .build();
        recordingCaller
                .ask(stub -> stub.batch(request))
                .known()
                .ifPresent(reply -> leasedBy(reply).forEach(task -> send(handOffUpdate(group, List.of(task)))));
    }

    private static List<LeasedTask> leasedBy(BatchReply reply) {
        return reply.getResultsList().stream()
                .flatMap(result -> result.getLease().getTasksList().stream())
                .toList();
    }

    private Timestamp notBefore() {
        return Timestamps.fromMillis(System.currentTimeMillis() + between(50, 2_000));
    }

    private ServiceClass serviceClass() {
        return random.nextInt(4) == 0 ? ServiceClass.BULK : ServiceClass.INTERACTIVE;
    }

    private long between(long from, long to) {
        return random.nextLong(from, to + 1);
    }

    private static Duration millis(long millis) {
        return Durations.fromMillis(millis);
    }
}
