package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.LoadConnection;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.load.Slot;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.UpdateRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The messages of an enqueue, or of a lease and the update that dequeues, sent to a service that answers at once: the
 * limit that the RPC stack and the load generator set for the server. Immutable.
 *
 * @param isPair whether an operation is a lease and an update, or an update alone
 * @param batch the number of tasks per request
 */
public record EchoWorkload(boolean isPair, int batch) implements Workload.OnEcho {

    /** The row of single updates. */
    static final String UPDATE = "echo";

    /** The row of leases and updates of single tasks. */
    static final String PAIR = "echo-pair";

    @Override
    public String row() {
        return RowNames.batched(isPair ? PAIR : UPDATE, batch);
    }

    @Override
    public Row run(Scene scene, Target echo) throws InterruptedException {
        QueueAddress queue = scene.queue(row());
        AtomicLong numbers = new AtomicLong();
        ByteString data = scene.data();
        LeaseRequest lease = queue.lease(batch, batch * data.size());
        try (LoadConnections loadConnections = scene.connect(echo)) {
            Measurement measurement = ClosedLoop.run(
                    loadConnections,
                    scene.load().outstanding(batch),
                    scene.load().timing(),
                    loadConnection -> isPair
                            ? pair(loadConnection, queue, lease)
                            : slot -> update(loadConnection, slot, enqueues(queue, numbers, data)));
            String unit = isPair
                    ? "one operation = a lease and an update of %s that are answered at once"
                    : "one operation = an update of %s that is answered at once";
            return Row.rate(row(), unit.formatted(RowNames.tasks(batch)), measurement);
        }
    }

    private Session pair(LoadConnection loadConnection, QueueAddress queue, LeaseRequest lease) {
        return slot -> loadConnection
                .stub()
                .leaseTasks(
                        lease,
                        slot.observer((LeaseReply reply) ->
                                update(loadConnection, slot, dequeues(queue, reply.getTasksList()))));
    }

    private void update(LoadConnection loadConnection, Slot slot, UpdateRequest update) {
        loadConnection
                .stub()
                .updateTasks(
                        update,
                        slot.observer(reply -> Answers.fault(reply, update.getEnqueueCount(), update.getDequeueCount())
                                .ifPresentOrElse(slot::failed, () -> slot.succeeded(batch))));
    }

    private UpdateRequest enqueues(QueueAddress queue, AtomicLong numbers, ByteString data) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(queue.group());
        for (int i = 0; i < batch; i++) {
            update.addEnqueue(queue.enqueue(Pids.of(numbers.getAndIncrement()), data));
        }
        return update.build();
    }

    private static UpdateRequest dequeues(QueueAddress queue, List<LeasedTask> tasks) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(queue.group());
        for (LeasedTask task : tasks) {
            update.addDequeue(queue.dequeue(task));
        }
        return update.build();
    }
}
