package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.LoadConnection;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.UpdateRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Updates of which a given share collides (paper, Figure 3). Colliding updates all replace the task under one (queue,
 * PID), so each depends on its predecessor; the others enqueue under PIDs of their own. All write the same amount, so
 * only the collisions differ. Immutable.
 *
 * @param percent the probability that an update collides
 */
public record CollideWorkload(int percent) implements Workload.OnServer {

    private static final long HOT = -1;

    @Override
    public String row() {
        return "collide " + percent + "%";
    }

    @Override
    public Row run(Scene scene, Target server) throws InterruptedException {
        List<QueueAddress> queues = scene.queues("collide-" + percent);
        AtomicLong numbers = new AtomicLong();
        try (LoadConnections loadConnections = scene.connect(server)) {
            Measurement measurement = ClosedLoop.run(
                    loadConnections,
                    scene.load().outstanding(1),
                    scene.load().timing(),
                    loadConnection -> session(loadConnection, queues, numbers, scene.data()));
            new Calls(loadConnections.first()).deleteAll(queues);
            return Row.rate(
                            row(),
                            "one operation = one update that replaces the one hot task with probability " + percent
                                    + " %, else enqueues 1 new task",
                            measurement)
                    .boundBy(EchoWorkload.UPDATE);
        }
    }

    private Session session(
            LoadConnection loadConnection, List<QueueAddress> queues, AtomicLong numbers, ByteString data) {
        CollisionPicker picker = new CollisionPicker(percent, numbers.getAndIncrement());
        ByteString hot = Pids.of(HOT);
        return slot -> {
            long number = numbers.getAndIncrement();
            QueueAddress queue = queues.get((int) (number % queues.size()));
            UpdateRequest update = UpdateRequest.newBuilder()
                    .setGroup(queue.group())
                    .addEnqueue(Enqueue.newBuilder()
                            .setQueue(queue.queue())
                            .setPid(picker.collides() ? hot : Pids.of(number))
                            .setData(data)
                            .setIfExists(IfExists.REPLACE))
                    .build();
            loadConnection
                    .stub()
                    .updateTasks(
                            update,
                            slot.observer(reply ->
                                    Answers.fault(reply, 1, 0).ifPresentOrElse(slot::failed, () -> slot.succeeded(1))));
        };
    }
}
