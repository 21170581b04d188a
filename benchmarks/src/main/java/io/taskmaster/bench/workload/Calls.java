package io.taskmaster.bench.workload;

import io.taskmaster.bench.load.LoadConnection;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterBlockingStub;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.List;

/** Blocking calls before and after a load, each with a deadline of 60 s. Thread-safe. */
public final class Calls {

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final TaskMasterBlockingStub stub;

    public Calls(LoadConnection loadConnection) {
        this.stub = TaskMasterGrpc.newBlockingStub(loadConnection.channel());
    }

    UpdateReply update(UpdateRequest request) {
        return stub().updateTasks(request);
    }

    LeaseReply lease(LeaseRequest request) {
        return stub().leaseTasks(request);
    }

    public DeleteReply delete(QueueAddress queue) {
        return delete(queue.selector());
    }

    public DeleteReply delete(QueueSelector queues) {
        return stub().deleteQueues(DeleteRequest.newBuilder().setQueues(queues).build());
    }

    public void deleteAll(List<QueueAddress> queues) {
        queues.forEach(this::delete);
    }

    /** Returns the number of tasks of these queues, in whatever state. */
    long size(List<QueueAddress> queues) {
        return queues.stream().mapToLong(this::size).sum();
    }

    /** Returns the number of tasks of a queue, in whatever state; zero if the queue is not listed. */
    public long size(QueueAddress queue) {
        return stub()
                .listQueues(ListRequest.newBuilder().setQueues(queue.selector()).build())
                .getQueuesList()
                .stream()
                .mapToLong(Calls::tasks)
                .sum();
    }

    public static long tasks(QueueSummary summary) {
        return summary.getAvailable() + summary.getLeased() + summary.getDelayed();
    }

    private TaskMasterBlockingStub stub() {
        return stub.withWaitForReady().withDeadlineAfter(DEADLINE);
    }
}
