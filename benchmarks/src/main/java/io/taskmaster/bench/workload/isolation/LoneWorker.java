package io.taskmaster.bench.workload.isolation;

import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.load.Slot;
import io.taskmaster.bench.workload.Answers;
import io.taskmaster.bench.workload.Pids;
import io.taskmaster.bench.workload.QueueAddress;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterStub;
import io.taskmaster.v1.UpdateRequest;

/**
 * A worker with one thread: it leases one task, dequeues it and leases the next. It is the only worker of its queue, so
 * the tasks must come in order and none twice. Single-threaded: owned by the event loop of its connection.
 */
final class LoneWorker implements Session {

    private static final int LEASE_BYTES = 1 << 20;

    private final TaskMasterStub stub;
    private final QueueAddress queue;
    private final long filled;
    private final LeaseRequest lease;
    private long last = -1;

    /**
     * Prepares a worker.
     *
     * @param filled the number of tasks that were enqueued, under PIDs numbered from 0
     */
    LoneWorker(TaskMasterStub stub, QueueAddress queue, long filled) {
        this.stub = stub;
        this.queue = queue;
        this.filled = filled;
        this.lease = queue.lease(1, LEASE_BYTES);
    }

    @Override
    public void begin(Slot slot) {
        stub.leaseTasks(lease, slot.observer(reply -> dequeue(slot, reply)));
    }

    private void dequeue(Slot slot, LeaseReply reply) {
        if (reply.getTasksCount() == 0 && last == filled - 1) {
            slot.onExhausted();
        } else if (reply.getTasksCount() != 1) {
            slot.failed("check: not one task leased although tasks are available");
        } else {
            LeasedTask task = reply.getTasks(0);
            long number = Pids.number(task.getPid());
            if (number <= last || number >= filled) {
                slot.failed("check: leased a task twice, out of order or out of nowhere");
                return;
            }
            last = number;
            UpdateRequest dequeue = UpdateRequest.newBuilder()
                    .setGroup(queue.group())
                    .addDequeue(queue.dequeue(task))
                    .build();
            stub.updateTasks(
                    dequeue,
                    slot.observer(update ->
                            Answers.fault(update, 0, 1).ifPresentOrElse(slot::failed, () -> slot.succeeded(1))));
        }
    }
}
