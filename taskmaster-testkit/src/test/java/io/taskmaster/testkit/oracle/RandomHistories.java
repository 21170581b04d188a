package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.v1.BatchRequest;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A generator of histories from seeds: concurrent clients of a {@link ReferenceService}, a network with delays that
 * loses requests and replies, and clocks within a slack. A history may end with a drain. Single-threaded.
 */
final class RandomHistories {

    static final long SLACK_MICROS = 5_000;

    private record Event(long micros, int order, Runnable action) {}

    private final Random random;
    private final ReferenceService service;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::micros).thenComparingInt(Event::order));
    private final List<RecordedCall> calls = new ArrayList<>();
    private final List<LeasedTask> leases = new ArrayList<>();
    private final List<UpdateRequest> named = new ArrayList<>();
    private final boolean drained;
    private final boolean handsOff;
    private final int lossPercent;
    private final int queues;
    private final int pids;
    private final int maxCalls;
    private long now = 1_700_000_000_000_000L;
    private int order;
    private int data;
    private int asked;

    private RandomHistories(long seed, Bug bug, int maxCalls, boolean drained) {
        this.random = new Random(seed);
        this.service = new ReferenceService(random, bug);
        this.maxCalls = maxCalls;
        this.drained = drained;
        this.handsOff = random.nextInt(3) == 0;
        this.lossPercent = handsOff ? 12 : random.nextInt(3) * 6;
        this.queues = 1 + random.nextInt(3);
        this.pids = 2 + random.nextInt(8);
    }

    static History history(long seed, Bug bug, int calls, boolean drained) {
        return new RandomHistories(seed, bug, calls, drained).run();
    }

    static OracleSettings settings(boolean drained) {
        OracleSettings settings = OracleSettings.DEFAULT
                .withClockSlack(java.time.Duration.ofNanos(SLACK_MICROS * 1_000))
                .withActivationLag(java.time.Duration.ZERO);
        return drained ? settings.drained() : settings;
    }

    private History run() {
        int clients = 1 + random.nextInt(6);
        for (int i = 0; i < clients; i++) {
            String client = "c" + i;
            in(random.nextInt(5_000), () -> ask(client));
        }
        while (!events.isEmpty()) {
            Event event = events.remove();
            now = event.micros;
            event.action.run();
        }
        if (drained) {
            drain();
        }
        return History.of(calls);
    }

    private void drain() {
        for (int i = 0; i < queues; i++) {
            direct(ConfigureRequest.newBuilder().setQueue(queue(i)).build());
        }
        now += 10_000_000;
        while (direct(LeaseRequest.newBuilder()
                                .setQueues(QueueSelector.newBuilder().setNameRe(".*"))
                                .setMaxTasks(100)
                                .setLease(duration(1_000))
                                .build())
                        instanceof LeaseReply leased
                && leased.getTasksCount() > 0) {
            UpdateRequest.Builder update = UpdateRequest.newBuilder();
            leased.getTasksList()
                    .forEach(task -> update.addDequeue(Dequeue.newBuilder()
                            .setQueue(task.getQueue())
                            .setPid(task.getPid())
                            .setLeaseId(task.getLeaseId())));
            direct(update.build());
        }
        direct(ListRequest.getDefaultInstance());
    }

    /** Makes a call while no other is in flight. */
    private Message direct(Message request) {
        Message reply = service.answer(request, now / 1_000, false);
        calls.add(new RecordedCall(
                calls.size() + 1L, "drain", now, now + 20, request, new RecordedOutcome.Replied(reply)));
        now += 1_000;
        return reply;
    }

    private void in(long micros, Runnable action) {
        events.add(new Event(now + micros, ++order, action));
    }

    private void ask(String client) {
        if (++asked > maxCalls) {
            return;
        }
        Message request = request();
        long invoked = now;
        boolean lost = random.nextInt(100) < lossPercent;
        boolean never = lost && random.nextInt(3) == 0;
        long requestMicros = random.nextInt(lost && random.nextBoolean() ? 60_000 : 3_000);
        long replyMicros = random.nextInt(3_000);
        if (lost) {
            in(
                    1 + random.nextInt(8_000),
                    () -> record(client, invoked, request, new RecordedOutcome.Unknown("UNAVAILABLE", "")));
        }
        if (!never) {
            in(requestMicros, () -> {
                long skew = random.nextInt(2 * (int) SLACK_MICROS) - SLACK_MICROS;
                Message reply = service.answer(request, (now + skew) / 1_000, lost);
                if (!lost) {
                    in(replyMicros, () -> {
                        if (reply instanceof LeaseReply leased) {
                            leases.addAll(leased.getTasksList());
                        }
                        record(client, invoked, request, new RecordedOutcome.Replied(reply));
                    });
                }
            });
        }
    }

    private void record(String client, long invoked, Message request, RecordedOutcome recordedOutcome) {
        calls.add(new RecordedCall(calls.size() + 1L, client, invoked, now, request, recordedOutcome));
        in(random.nextInt(2_000), () -> ask(client));
    }

    private Message request() {
        int choice = random.nextInt(100);
        if (choice < 50) {
            return update();
        }
        if (choice < 75) {
            return lease();
        }
        if (choice < 85) {
            return PeekRequest.newBuilder()
                    .setQueue(queue())
                    .setMaxTasks(1 + random.nextInt(10))
                    .setWithData(random.nextInt(4) > 0)
                    .setFromPid(random.nextInt(4) == 0 ? pid() : ByteString.EMPTY)
                    .build();
        }
        if (choice < 90) {
            return ListRequest.getDefaultInstance();
        }
        if (choice < 94) {
            return DescribeRequest.newBuilder().setLeasedSample(100).build();
        }
        if (choice < 96) {
            return BatchRequest.newBuilder()
                    .addOperations(BatchRequest.Operation.newBuilder().setUpdate(update()))
                    .addOperations(BatchRequest.Operation.newBuilder().setLease(lease()))
                    .build();
        }
        return choice < 98
                ? DeleteRequest.newBuilder()
                        .setQueues(QueueSelector.newBuilder().addNames(queue()))
                        .build()
                : ConfigureRequest.newBuilder()
                        .setQueue(queue())
                        .setOptions(QueueOptions.newBuilder()
                                .setPaused(random.nextInt(3) == 0)
                                .setMaxLeased(random.nextInt(3))
                                .setWeight(random.nextInt(4)))
                        .build();
    }

    private LeaseRequest lease() {
        LeaseRequest.Builder lease = LeaseRequest.newBuilder()
                .setQueues(
                        random.nextBoolean()
                                ? QueueSelector.newBuilder().addNames(queue())
                                : QueueSelector.newBuilder().setNameRe("q[01]"))
                .setMaxTasks(1 + random.nextInt(4))
                .setLease(duration(1 + random.nextInt(random.nextBoolean() ? 20 : 500)));
        if (random.nextInt(5) == 0) {
            lease.setMaxPid(pid());
        }
        return lease.setMaxLeasedPerQueue(Math.max(0, random.nextInt(6) - 3)).build();
    }

    private UpdateRequest update() {
        if (!named.isEmpty() && random.nextInt(6) == 0) {
            return named.get(random.nextInt(named.size()));
        }
        UpdateRequest.Builder update = UpdateRequest.newBuilder();
        if (handsOff && !leases.isEmpty()) {
            return handOff(update, leases.removeLast());
        }
        int elements = 1 + random.nextInt(random.nextBoolean() ? 1 : 4);
        for (int i = 0; i < elements; i++) {
            int choice = random.nextInt(10);
            if (choice < 4 || leases.isEmpty()) {
                update.addEnqueue(enqueue());
            } else if (choice == 4) {
                update.addDequeue(Dequeue.newBuilder().setQueue(queue()).setPid(pid()));
            } else {
                withLease(
                        update, leases.get(random.nextInt(3) > 0 ? leases.size() - 1 : random.nextInt(leases.size())));
            }
        }
        if (random.nextInt(3) == 0) {
            update.setRequestId(ByteString.copyFromUtf8("id" + ++data));
            named.add(update.build());
        }
        return update.build();
    }

    private UpdateRequest handOff(UpdateRequest.Builder update, LeasedTask task) {
        return update.addDequeue(Dequeue.newBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid())
                        .setLeaseId(task.getLeaseId()))
                .addEnqueue(enqueue())
                .build();
    }

    private void withLease(UpdateRequest.Builder update, LeasedTask task) {
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                Release.Builder release =
                        Release.newBuilder().setQueue(task.getQueue()).setPid(task.getPid());
                release.setLeaseId(random.nextInt(4) == 0 ? 0 : task.getLeaseId());
                release.setUntried(random.nextInt(3) == 0);
                if (random.nextInt(3) == 0) {
                    release.setNotBefore(notBefore());
                }
                update.addRelease(release);
            }
            case 2 ->
                update.addRenew(Renew.newBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid())
                        .setLeaseId(task.getLeaseId())
                        .setLease(duration(1 + random.nextInt(60))));
            default ->
                update.addDequeue(Dequeue.newBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid())
                        .setLeaseId(task.getLeaseId()));
        }
    }

    private Enqueue enqueue() {
        Enqueue.Builder enqueue = Enqueue.newBuilder()
                .setQueue(queue())
                .setData(ByteString.copyFromUtf8("d" + ++data))
                .setIfExists(IfExists.forNumber(random.nextInt(4)));
        if (random.nextInt(3) > 0) {
            enqueue.setPid(pid());
        }
        if (random.nextInt(6) == 0) {
            enqueue.setNotBefore(notBefore());
        }
        return enqueue.build();
    }

    private com.google.protobuf.Timestamp notBefore() {
        return ReferenceService.timestamp(now / 1_000 + random.nextInt(80) - 10);
    }

    private ByteString queue() {
        return queue(random.nextInt(queues));
    }

    private static ByteString queue(int number) {
        return ByteString.copyFromUtf8("q" + number);
    }

    private ByteString pid() {
        if (!leases.isEmpty() && random.nextInt(5) == 0) {
            return leases.get(random.nextInt(leases.size())).getPid();
        }
        return ByteString.copyFromUtf8("p" + random.nextInt(pids));
    }

    private static Duration duration(long millis) {
        return Duration.newBuilder()
                .setSeconds(millis / 1_000)
                .setNanos((int) (millis % 1_000) * 1_000_000)
                .build();
    }
}
