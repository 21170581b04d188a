package io.taskmaster.bench.workload.queues;

import com.google.protobuf.Duration;
import io.taskmaster.bench.load.Slot;
import io.taskmaster.bench.workload.Calls;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterStub;
import io.taskmaster.v1.UpdateRequest;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/** Calls about a population. Each reply is checked against the tasks that the population is known to have. */
final class QueueProbes {

    /** The number of queues on a page of a listing. */
    static final int PAGE = 1_000;

    private static final Duration LEASE = Duration.newBuilder().setSeconds(600).build();

    private QueueProbes() {}

    /** Leases one task by a pattern that matches all queues; the release that follows is not timed. */
    static LatencyProbe lease(Population population) {
        LeaseRequest lease = LeaseRequest.newBuilder()
                .setQueues(population.matching())
                .setMaxTasks(1)
                .setLease(LEASE)
                .setWorker("bench")
                .build();
        return (stub, slot, watch) ->
                stub.leaseTasks(lease, watch.timed(slot, reply -> release(stub, slot, population, reply)));
    }

    /** Describes one queue, chosen at random. */
    static LatencyProbe describe(Population population) {
        return (stub, slot, watch) -> {
            int index = ThreadLocalRandom.current().nextInt(population.queues());
            DescribeRequest describe = DescribeRequest.newBuilder()
                    .setQueues(population.one(index))
                    .build();
            stub.describeQueues(
                    describe,
                    watch.timed(
                            slot,
                            reply -> judge(
                                    slot,
                                    reply.getQueuesCount() == 1
                                            ? population.fault(
                                                    reply.getQueues(0).getSummary())
                                            : Optional.of("check: a queue is missing"))));
        };
    }

    /** Describes the whole group, with one of its queues in the reply. */
    static LatencyProbe total(Population population) {
        DescribeRequest describe = DescribeRequest.newBuilder()
                .setQueues(population.selector())
                .setMaxQueues(1)
                .build();
        return (stub, slot, watch) -> stub.describeQueues(
                describe,
                watch.timed(
                        slot,
                        reply -> judge(
                                slot,
                                Calls.tasks(reply.getTotal().getSummary()) == population.tasks()
                                        ? Optional.empty()
                                        : Optional.of("check: the total is not that of what was enqueued"))));
    }

    /**
     * Lists the queues with available tasks, one page per call. Each call continues where another ended, so that every
     * listing is read to its end.
     */
    static LatencyProbe list(Population population) {
        Queue<Position> positions = new ConcurrentLinkedQueue<>();
        ListRequest list = ListRequest.newBuilder()
                .setQueues(population.matching())
                .setMinAvailable(1)
                .setMaxQueues(PAGE)
                .build();
        return (stub, slot, watch) -> {
            Position position = Objects.requireNonNullElse(positions.poll(), Position.START);
            ListRequest page = list.toBuilder().setPageToken(position.token()).build();
            stub.listQueues(page, watch.timed(slot, reply -> {
                if (!reply.getNextPageToken().isEmpty()) {
                    positions.add(position.after(reply));
                }
                judge(slot, position.fault(population, reply));
            }));
        };
    }

    private static void release(TaskMasterStub stub, Slot slot, Population population, LeaseReply reply) {
        if (reply.getTasksCount() != 1) {
            slot.failed("check: not one task leased although tasks are available");
            return;
        }
        LeasedTask task = reply.getTasks(0);
        UpdateRequest release = UpdateRequest.newBuilder()
                .setGroup(population.group())
                .addRelease(Release.newBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid())
                        .setLeaseId(task.getLeaseId()))
                .build();
        stub.updateTasks(
                release,
                slot.observer(update -> judge(
                        slot,
                        update.getSuccess() && update.getReleaseStatus(0) == Status.OK
                                ? Optional.empty()
                                : Optional.of("check: release rejected"))));
    }

    private static void judge(Slot slot, Optional<String> fault) {
        fault.ifPresentOrElse(slot::failed, () -> slot.succeeded(1));
    }
}
