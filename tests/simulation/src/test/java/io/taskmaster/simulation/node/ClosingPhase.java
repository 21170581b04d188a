package io.taskmaster.simulation.node;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import io.taskmaster.simulation.load.RandomRequests;
import io.taskmaster.simulation.load.Recorder;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The last phase of a run, without faults: nodes come up one after the other, and the counts of list and describe must
 * equal the tasks that pages of peeks find. Then all queues are drained by leases over all groups and dequeues, as
 * leases and delays expire. Single-threaded: owned by the simulation.
 */
final class ClosingPhase {

    private static final String CLIENT = "closing";
    private static final long DEADLINE_MICROS = 200_000_000;
    private static final int MAX_ATTEMPTS = 200;
    private static final int MAX_PAGE = 3;

    /** The number of leases in a row that may return nothing although there are tasks, each after the longest wait. */
    private static final int MAX_IN_VAIN = 5;

    private static final QueueSelector EVERYTHING =
            QueueSelector.newBuilder().setAllGroups(true).build();

    private final World world;
    private final Cluster cluster;
    private final RandomRequests requests;
    private final Recorder recorder;
    private final Runnable step;

    /** The bound on the size of pages and leases. */
    private final int page;

    ClosingPhase(World world, Cluster cluster, RandomRequests requests, Recorder recorder, Runnable step) {
        this.world = world;
        this.cluster = cluster;
        this.requests = requests;
        this.recorder = recorder;
        this.step = step;
        this.page = 1 + world.random.nextInt(MAX_PAGE);
    }

    void run() {
        NodeProcess first = start();
        count(first);
        first.process().crash("has told everything");
        NodeProcess second = start();
        count(second);
        second.shutDown();
        await(() -> !second.isUp(), "to end");
        NodeProcess third = start();
        count(third);
        drain(third);
        if (!count(third).isEmpty()) {
            world.broken(new Violation("drained, but there is something"));
        }
        await(() -> third.owed() == 0 && third.embeddedService().requests() == 0, "to be through with all");
        if (third.embeddedService().bytes() != 0) {
            world.broken(new Violation("nothing is in flight, but so many bytes are: "
                    + third.embeddedService().bytes()));
        }
    }

    private NodeProcess start() {
        NodeProcess node = cluster.start();
        await(() -> node.isServing() || !node.isUp(), "to serve");
        if (!node.isUp()) {
            throw new Violation("all faults are healed, but a node does not come up");
        }
        return node;
    }

    /**
     * Lists, describes and scans everything, and compares the three.
     *
     * @return the number of tasks, by group and queue
     */
    private Map<String, Long> count(NodeProcess node) {
        Map<String, Long> listed = new TreeMap<>();
        String token = "";
        do {
            ListReply part = ask(
                    node,
                    ListRequest.newBuilder()
                            .setQueues(EVERYTHING)
                            .setMaxQueues(page)
                            .setPageToken(token)
                            .build(),
                    ListReply.class);
            part.getQueuesList().forEach(queue -> listed.put(name(queue), total(queue)));
            token = part.getNextPageToken();
        } while (!token.isEmpty());
        Map<String, Long> scanned = new TreeMap<>();
        for (ByteString group : requests.groups()) {
            for (ByteString queue : requests.queues()) {
                long tasks = scan(node, group, queue);
                if (tasks > 0) {
                    scanned.put(name(group, queue), tasks);
                }
            }
        }
        DescribeReply described = ask(
                node,
                DescribeRequest.newBuilder()
                        .setQueues(EVERYTHING)
                        .setMaxQueues(1_000)
                        .build(),
                DescribeReply.class);
        Map<String, Long> counted = new TreeMap<>();
        described.getQueuesList().stream()
                .map(QueueDescription::getSummary)
                .filter(queue -> total(queue) > 0)
                .forEach(queue -> counted.put(name(queue), total(queue)));
        if (!listed.equals(scanned) || !counted.equals(scanned)) {
            world.broken(new Violation("listed " + listed + ", described " + counted + ", but found " + scanned));
        }
        return scanned;
    }

    private long scan(NodeProcess node, ByteString group, ByteString queue) {
        long tasks = 0;
        ByteString from = ByteString.EMPTY;
        do {
            PeekReply part = ask(
                    node,
                    PeekRequest.newBuilder()
                            .setGroup(group)
                            .setQueue(queue)
                            .setFromPid(from)
                            .setMaxTasks(page)
                            .setWithData(true)
                            .build(),
                    PeekReply.class);
            tasks += part.getTasksCount();
            from = part.getNextPid();
        } while (!from.isEmpty());
        return tasks;
    }

    private void drain(NodeProcess node) {
        for (ByteString group : requests.groups()) {
            for (ByteString queue : requests.queues()) {
                ask(
                        node,
                        ConfigureRequest.newBuilder()
                                .setGroup(group)
                                .setQueue(queue)
                                .build(),
                        ConfigureReply.class);
            }
        }
        int inVain = 0;
        while (ask(node, ListRequest.newBuilder().setQueues(EVERYTHING).build(), ListReply.class)
                        .getQueuesCount()
                > 0) {
            List<LeasedTask> leased = ask(
                            node,
                            LeaseRequest.newBuilder()
                                    .setQueues(EVERYTHING.toBuilder().setNameRe(".*"))
                                    .setMaxTasks(page)
                                    .setWait(Durations.fromSeconds(60))
                                    .build(),
                            LeaseReply.class)
                    .getTasksList();
            inVain = leased.isEmpty() ? inVain + 1 : 0;
            if (inVain == MAX_IN_VAIN) {
                throw new Violation("all faults are healed, but a queue does not drain");
            }
            dequeue(node, leased);
        }
    }

    private void dequeue(NodeProcess node, List<LeasedTask> leased) {
        List<ByteString> groups =
                leased.stream().map(LeasedTask::getGroup).distinct().toList();
        for (ByteString group : groups) {
            UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(group);
            leased.stream()
                    .filter(task -> task.getGroup().equals(group))
                    .forEach(task -> update.addDequeue(Dequeue.newBuilder()
                            .setQueue(task.getQueue())
                            .setPid(task.getPid())
                            .setLeaseId(task.getLeaseId())));
            if (!ask(node, update.build(), UpdateReply.class).getSuccess()) {
                world.broken(new Violation("all faults are healed, but a fresh lease is not good: " + update));
            }
        }
    }

    /** Calls a node that has no excuse to fail, but may be busy: a refusal is retried after 20 ms, up to 200 times. */
    private <P> P ask(NodeProcess node, Message request, Class<P> type) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            RecordedOutcome recordedOutcome = ask(node, request);
            if (recordedOutcome instanceof RecordedOutcome.Replied replied) {
                return type.cast(replied.reply());
            }
            if (recordedOutcome instanceof RecordedOutcome.Unknown) {
                throw new Violation("all faults are healed, but: " + recordedOutcome + " for " + request);
            }
            List<Boolean> rested = new ArrayList<>();
            world.in(20_000, () -> rested.add(true));
            await(() -> !rested.isEmpty(), "to go on");
        }
        throw new Violation("all faults are healed, but this is always refused: " + request);
    }

    private RecordedOutcome ask(NodeProcess node, Message request) {
        int number = recorder.invoked(CLIENT, request);
        List<RecordedOutcome> outcomes = new ArrayList<>();
        cluster.network().call(node, request, DEADLINE_MICROS, recordedOutcome -> {
            recorder.completed(number, recordedOutcome);
            outcomes.add(recordedOutcome);
        });
        await(() -> !outcomes.isEmpty(), "to answer " + request);
        world.log(() -> CLIENT + " asks " + node.process().name() + " (" + number + "): "
                + ContractClient.oneLine(request) + ", is told " + ContractClient.oneLine(outcomes.getFirst()));
        return outcomes.getFirst();
    }

    private void await(BooleanSupplier condition, String what) {
        while (!condition.getAsBoolean()) {
            if (!world.hasEvents()) {
                throw new Violation("all faults are healed, but nothing happens any more while waiting for it " + what);
            }
            step.run();
        }
    }

    private static String name(QueueSummary queue) {
        return name(queue.getGroup(), queue.getName());
    }

    private static String name(ByteString group, ByteString queue) {
        return group.toStringUtf8() + "/" + queue.toStringUtf8();
    }

    private static long total(QueueSummary queue) {
        return queue.getAvailable() + queue.getLeased() + queue.getDelayed();
    }
}
