package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.LoadConnection;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.testkit.Health;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Enqueues under random PIDs, spread evenly among those of a large backlog of which the server has at most the head in
 * memory: nearly every update needs a point read to find out whether its PID exists. A server of this run is restarted
 * between backlog and load, so that it has none of the backlog in memory; on a remote server the backlog should exceed
 * the window budget. Checked: every status, and the size afterwards. Immutable.
 *
 * @param backlog the number of tasks per run, over all queues
 */
public record RandomPidsWorkload(int backlog) implements Workload.OnServer {

    private static final Duration RESTART_LIMIT = Duration.ofSeconds(60);

    @Override
    public String row() {
        return "random";
    }

    @Override
    public Row run(Scene scene, Target server) throws InterruptedException {
        List<QueueAddress> queues = scene.queues(row());
        long each = Math.max(1, backlog / queues.size());
        // Numbers are spread over the whole key space, in which unsigned order is PID order.
        LongFunction<ByteString> spread = number -> Pids.of(number * Long.divideUnsigned(-1, each));
        try (LoadConnections loadConnections = scene.connect(server)) {
            for (QueueAddress queue : queues) {
                Preload.fill(loadConnections, queue, each, spread, scene.data());
            }
        }
        if (server instanceof Target.Restartable own) {
            own.stop();
            own.start();
            if (!Health.awaitServing(own.address(), RESTART_LIMIT, () -> true)) {
                throw new IllegalStateException("the server did not restart within " + RESTART_LIMIT);
            }
        }
        try (LoadConnections loadConnections = scene.connect(server)) {
            return measure(scene, loadConnections, queues, each * queues.size());
        }
    }

    private Row measure(Scene scene, LoadConnections loadConnections, List<QueueAddress> queues, long preloaded)
            throws InterruptedException {
        AtomicLong seeds = new AtomicLong(1);
        Measurement measurement = ClosedLoop.run(
                loadConnections,
                scene.load().outstanding(1),
                scene.load().timing(),
                loadConnection -> session(loadConnection, queues, seeds.getAndIncrement(), scene.data()));
        Calls calls = new Calls(loadConnections.first());
        Measurement audited = TaskAudit.of(measurement, calls.size(queues), preloaded + measurement.totalTasks(), 1);
        calls.deleteAll(queues);
        return Row.rate(row(), "one operation = one update that enqueues 1 task under a random PID", audited)
                .boundBy(EchoWorkload.UPDATE)
                .noting("%,d tasks queued before".formatted(preloaded));
    }

    private static Session session(
            LoadConnection loadConnection, List<QueueAddress> queues, long seed, ByteString data) {
        SplittableRandom random = new SplittableRandom(seed);
        return slot -> {
            QueueAddress queue = queues.get(random.nextInt(queues.size()));
            UpdateRequest update = UpdateRequest.newBuilder()
                    .setGroup(queue.group())
                    .addEnqueue(queue.enqueue(Pids.random(random), data))
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
