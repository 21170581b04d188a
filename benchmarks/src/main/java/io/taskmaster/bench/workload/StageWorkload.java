package io.taskmaster.bench.workload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.Worker;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stage library in one worker, in this process: two stages with empty handlers hand tasks off to each other, so
 * each task is leased, handed off and committed again and again. As many tasks circulate as other rows have requests in
 * flight. Immutable.
 */
public record StageWorkload() implements Workload.OnServer {

    private static final TaskQueue<Bytes> PING = TaskQueue.of("ping", Codec.bytes());
    private static final TaskQueue<Bytes> PONG = TaskQueue.of("pong", Codec.bytes());
    private static final int PREFETCH = 1_000;
    private static final int TOKENS_AT_ONCE = 500;

    @Override
    public String row() {
        return "stage";
    }

    @Override
    public Row run(Scene scene, Target server) throws InterruptedException {
        GroupName group = GroupName.wrap(scene.group(row()).toByteArray());
        int tokens = scene.load().outstanding(1);
        Rounds rounds = new Rounds();
        String target =
                server.address().getHostString() + ":" + server.address().getPort();
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            enqueue(client.blocking(), group, tokens, Bytes.wrap(scene.data().toByteArray()));
            Measurement measured;
            double cpuMicros;
            try (Worker _ = Worker.start(pipeline(group, rounds), client)) {
                Timing timing = scene.load().timing();
                Thread.sleep(timing.warmup());
                long cpuNanos = cpuNanos();
                rounds.begin();
                Thread.sleep(timing.measured());
                measured = rounds.end(timing.measured());
                cpuMicros = (cpuNanos() - cpuNanos) / 1e3 / Math.max(1, measured.operations());
            }
            return Row.rate(row(), unit(), audited(client.blocking(), group, tokens, measured))
                    .boundBy("echo-pair")
                    .noting(String.format(Locale.ROOT, "%.0f us of processor time per task in the worker", cpuMicros));
        }
    }

    private static String unit() {
        return "one operation = one task leased by a worker of the stage library, given to an empty handler and handed off";
    }

    private static Pipeline pipeline(GroupName group, Rounds rounds) {
        return Pipeline.in(group)
                .stage(PING, stage -> passing(stage, PONG, rounds))
                .stage(PONG, stage -> passing(stage, PING, rounds))
                .build();
    }

    private static void passing(StageBuilder<Bytes> stage, TaskQueue<Bytes> next, Rounds rounds) {
        stage.prefetch(PREFETCH)
                .handler(task -> {
                    rounds.passed(task.pid());
                    return Outcome.handOff(next.task(task.payload()));
                })
                .to(next);
    }

    private static void enqueue(BlockingClient client, GroupName group, int tokens, Bytes data) {
        for (int i = 0; i < tokens; i += TOKENS_AT_ONCE) {
            var update = Update.in(group);
            for (int token = i; token < Math.min(tokens, i + TOKENS_AT_ONCE); token++) {
                update.enqueue(QueueName.of(PING.name()), Pid.of("%08d".formatted(token)), data);
            }
            client.update(update.build());
        }
    }

    /** Checks that exactly these tasks are there, and deletes them. */
    private static Measurement audited(BlockingClient client, GroupName group, int tokens, Measurement measured) {
        QueueSelector both = QueueSelector.of(group, QueueName.of(PING.name()), QueueName.of(PONG.name()));
        long found = client.list(ListRequest.of(both)).queues().stream()
                .mapToLong(QueueSummary::total)
                .sum();
        client.delete(both);
        return found == tokens ? measured : measured.withError("check: found %d tasks of %d".formatted(found, tokens));
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }

    /** The latencies from one handler to the next, over all tasks. Thread-safe. */
    private static final class Rounds {

        private final Map<Pid, Long> lastNanos = new ConcurrentHashMap<>();
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private Latencies latencies = new Latencies();

        void passed(Pid token) {
            long now = System.nanoTime();
            Long last = lastNanos.put(token, now);
            lock.lock();
            try {
                latencies.record(last == null ? 1 : now - last);
            } finally {
                lock.unlock();
            }
        }

        void begin() {
            lock.lock();
            try {
                latencies = new Latencies();
            } finally {
                lock.unlock();
            }
        }

        Measurement end(Duration length) {
            lock.lock();
            try {
                Latencies measured = latencies;
                latencies = new Latencies();
                return new Measurement(
                        measured, measured.count(), measured.count(), measured.count(), Map.of(), length);
            } finally {
                lock.unlock();
            }
        }
    }
}
