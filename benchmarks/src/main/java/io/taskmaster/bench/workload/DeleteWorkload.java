package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;

/**
 * A deletion of a large queue, followed at once by an enqueue and a lease under its name. Checked: the size that the
 * deletion reports, and that the lease right after it returns the new task and no other. Immutable.
 *
 * @param tasks the number of tasks in the queue, of 100 bytes each
 */
public record DeleteWorkload(int tasks) implements Workload.OnServer {

    private static final int TASK_BYTES = 100;
    private static final int LEASE_TASKS = 10;

    @Override
    public String row() {
        return "delete";
    }

    @Override
    public Row run(Scene scene, Target server) throws InterruptedException {
        QueueAddress queue = scene.queue(row());
        ByteString fresh = ByteString.copyFromUtf8("fresh");
        try (LoadConnections loadConnections = scene.connect(server)) {
            Preload.fill(loadConnections, queue, tasks, Pids::of, Scene.randomData(TASK_BYTES));
            Calls calls = new Calls(loadConnections.first());
            calls.size(queue);
            long startNanos = System.nanoTime();
            DeleteReply deleted = calls.delete(queue);
            long deletedNanos = System.nanoTime();
            UpdateReply enqueued = calls.update(UpdateRequest.newBuilder()
                    .setGroup(queue.group())
                    .addEnqueue(queue.fifo(fresh))
                    .build());
            LeaseReply leased = calls.lease(queue.lease(LEASE_TASKS, 1 << 20));
            long usedNanos = System.nanoTime();
            Measurement measurement = Measurement.ofSamples(Duration.ofNanos(deletedNanos - startNanos));
            if (deleted.getDeletedCount() != 1 || Calls.tasks(deleted.getDeleted(0)) != tasks) {
                measurement = measurement.withError("check: the delete reports another size");
            }
            if (!enqueued.getSuccess()
                    || leased.getTasksCount() != 1
                    || !leased.getTasks(0).getData().equals(fresh)) {
                measurement = measurement.withError("check: the name was not usable at once");
            }
            calls.delete(queue);
            return Row.event(
                    row(),
                    "one operation = one delete of a queue of %,d tasks of %d B".formatted(tasks, TASK_BYTES),
                    measurement,
                    "then enqueued and leased under the same name in %.2f ms"
                            .formatted((usedNanos - deletedNanos) / 1e6));
        }
    }
}
