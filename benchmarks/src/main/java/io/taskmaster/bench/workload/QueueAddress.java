package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.QueueSelector;

/** A queue by its group and name, with the requests about it. Immutable. */
public record QueueAddress(ByteString group, ByteString queue) {

    /** The duration of leases, longer than any run: a lease that expired within the run would look like a duplicate. */
    private static final Duration LEASE = Duration.newBuilder().setSeconds(3600).build();

    /** Returns the address of another queue of the same group. */
    QueueAddress sibling(String suffix) {
        return new QueueAddress(group, queue.concat(ByteString.copyFromUtf8(suffix)));
    }

    QueueSelector selector() {
        return QueueSelector.newBuilder().setGroup(group).addNames(queue).build();
    }

    public Enqueue fifo(ByteString data) {
        return Enqueue.newBuilder().setQueue(queue).setData(data).build();
    }

    public Enqueue enqueue(ByteString pid, ByteString data) {
        return Enqueue.newBuilder().setQueue(queue).setPid(pid).setData(data).build();
    }

    public Dequeue dequeue(LeasedTask task) {
        return Dequeue.newBuilder()
                .setQueue(queue)
                .setPid(task.getPid())
                .setLeaseId(task.getLeaseId())
                .build();
    }

    public LeaseRequest lease(int maxTasks, int maxBytes) {
        return LeaseRequest.newBuilder()
                .setQueues(selector())
                .setMaxTasks(maxTasks)
                .setMaxBytes(maxBytes)
                .setLease(LEASE)
                .setWorker("bench")
                .build();
    }
}
