package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.testkit.Health;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Kills of the server under full load, each followed by a restart. Measured is the time from the kill until an update
 * is acknowledged, start of the JVM included. Checked: that every acknowledged task is there, and none that was never
 * sent. Immutable.
 *
 * @param rounds the number of kills, one after the other, on the same growing data
 */
public record RecoveryWorkload(int rounds) implements Workload.OnOwnServer {

    private static final Duration RESTART_LIMIT = Duration.ofMinutes(2);

    @Override
    public String row() {
        return "recovery";
    }

    @Override
    public Row run(Scene scene, Target.Restartable server) throws InterruptedException {
        List<QueueAddress> queues = scene.queues(row());
        AtomicLong sent = new AtomicLong();
        long acknowledged = 0;
        List<Duration> outages = new ArrayList<>();
        List<String> servings = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            acknowledged += loadUntilKilled(scene, server, queues, sent);
            long killedNanos = System.nanoTime();
            server.start();
            if (!Health.awaitServing(server.address(), RESTART_LIMIT, () -> true)) {
                throw new IllegalStateException("the server did not restart within " + RESTART_LIMIT);
            }
            long servingNanos = System.nanoTime() - killedNanos;
            try (LoadConnections loadConnections = scene.connect(server)) {
                new Calls(loadConnections.first()).update(next(queues, sent, scene.data()));
            }
            outages.add(Duration.ofNanos(System.nanoTime() - killedNanos));
            servings.add(String.format(Locale.ROOT, "%.2f s", servingNanos / 1e9));
            acknowledged++;
        }
        Measurement measurement = Measurement.ofSamples(outages.toArray(Duration[]::new));
        return Row.event(
                row(),
                "one operation = kill -9 under full load, restart, until the first update is acknowledged",
                audited(scene, server, queues, acknowledged, sent.get(), measurement),
                "serving again after " + String.join(", ", servings) + "; %,d tasks queued".formatted(acknowledged));
    }

    /**
     * Loads the server for the time of a row, then kills it. Blocks.
     *
     * @return the number of acknowledged tasks
     */
    private static long loadUntilKilled(
            Scene scene, Target.Restartable server, List<QueueAddress> queues, AtomicLong sent)
            throws InterruptedException {
        try (LoadConnections loadConnections = scene.connect(server)) {
            Session.Factory sessions = loadConnection -> slot -> loadConnection
                    .stub()
                    .updateTasks(
                            next(queues, sent, scene.data()),
                            slot.observer(reply ->
                                    Answers.fault(reply, 1, 0).ifPresentOrElse(slot::failed, () -> slot.succeeded(1))));
            Timing timing = scene.load().timing();
            Timing longer = new Timing(timing.warmup(), timing.measured().plus(RESTART_LIMIT));
            ClosedLoop loop = ClosedLoop.start(loadConnections, scene.load().outstanding(1), longer, sessions);
            Thread.sleep(timing.warmup().plus(timing.measured()));
            server.kill();
            loop.stop();
            // Requests in flight fail now. That is not an error of the server: each may or may not have been committed.
            return loop.await().totalTasks();
        }
    }

    private static UpdateRequest next(List<QueueAddress> queues, AtomicLong sent, ByteString data) {
        long number = sent.getAndIncrement();
        QueueAddress queue = queues.get((int) (number % queues.size()));
        return UpdateRequest.newBuilder()
                .setGroup(queue.group())
                .addEnqueue(queue.enqueue(Pids.of(number), data))
                .build();
    }

    private static Measurement audited(
            Scene scene,
            Target server,
            List<QueueAddress> queues,
            long acknowledged,
            long sent,
            Measurement measurement) {
        try (LoadConnections loadConnections = scene.connect(server)) {
            Calls calls = new Calls(loadConnections.first());
            long found = calls.size(queues);
            calls.deleteAll(queues);
            return found < acknowledged || found > sent
                    ? measurement.withError(
                            "check: found %d tasks, acknowledged %d, sent %d".formatted(found, acknowledged, sent))
                    : measurement;
        }
    }
}
