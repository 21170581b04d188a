package io.taskmaster.integration.hbase;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A load of clients that enqueue, lease and dequeue in many groups. It records the failures, and the duration of the
 * longest call. Thread-safe.
 */
final class GroupLoad implements AutoCloseable {

    private static final int CLIENTS = 8;
    private static final int GROUPS = 16;

    private final TaskMasterClient client;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong maxNanos = new AtomicLong();
    private final Map<String, Long> failures = new ConcurrentHashMap<>();

    private GroupLoad(String target, Duration deadline, int retries) {
        client = TaskMasterClient.builder(target)
                .deadline(deadline)
                .maxRetries(retries)
                .drain(Duration.ZERO)
                .build();
    }

    static GroupLoad start(String target, Duration deadline, int retries) {
        GroupLoad load = new GroupLoad(target, deadline, retries);
        for (int i = 0; i < CLIENTS; i++) {
            load.threads.execute(load::work);
        }
        return load;
    }

    private void work() {
        while (!stopped.get()) {
            int group = ThreadLocalRandom.current().nextInt(GROUPS);
            QueueKey queue = QueueKey.of("group-" + group, "queue");
            call(() -> client.blocking().enqueue(queue, Bytes.of("task")));
            call(() -> handle(queue));
        }
    }

    private void handle(QueueKey queue) {
        List<LeasedTask> leased =
                client.blocking().lease(LeaseRequest.from(queue).maxTasks(1));
        leased.forEach(task -> client.blocking().dequeue(task));
    }

    private void call(Runnable call) {
        long startNanos = System.nanoTime();
        try {
            call.run();
            calls.incrementAndGet();
        } catch (TaskMasterException failed) {
            failures.merge(failed.code().name(), 1L, Long::sum);
        }
        maxNanos.accumulateAndGet(System.nanoTime() - startNanos, Math::max);
    }

    long calls() {
        return calls.get();
    }

    /** The number of failed calls, by error code. */
    Map<String, Long> failures() {
        return Map.copyOf(failures);
    }

    Duration maxGap() {
        return Duration.ofNanos(maxNanos.get());
    }

    /** Ends the load. Blocks until every client has received its last reply. */
    @Override
    public void close() {
        stopped.set(true);
        threads.close();
        client.close();
    }
}
