package io.taskmaster.server.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** A load that enqueues as fast as it can, on several threads, and records what was acknowledged. Thread-safe. */
final class DiskLoad implements AutoCloseable {

    static final int QUEUES = 16;

    private static final int THREADS = 4;
    private static final int DATA_BYTES = 20_000;

    private final TaskMasterClient client;
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Map<String, Boolean> unknown = new ConcurrentHashMap<>();
    private final Map<ErrorCode, Integer> errors = new EnumMap<>(ErrorCode.class);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread[] threads = new Thread[THREADS];
    private final boolean untilFull;
    private final String name;

    /**
     * Starts the load.
     *
     * @param untilFull whether a thread ends when it is refused because the store is full
     */
    DiskLoad(TaskMasterClient client, String name, boolean untilFull) {
        this.client = client;
        this.name = name;
        this.untilFull = untilFull;
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = Thread.ofVirtual().start(() -> run(number));
        }
    }

    static QueueKey queue(int number) {
        return QueueKey.of("group" + number % QUEUES, "q");
    }

    private void run(int thread) {
        for (int i = 0; !stopped.get(); i++) {
            String pid = "%s.%d.%06d".formatted(name, thread, i);
            try {
                assertThat(client.blocking()
                                .enqueue(queue(i), Pid.of(pid), data())
                                .success())
                        .isTrue();
                acknowledged.add(i % QUEUES + "/" + pid);
            } catch (TaskMasterException refusal) {
                synchronized (errors) {
                    errors.merge(refusal.code(), 1, Integer::sum);
                }
                if (refusal.code() == ErrorCode.STORE_FULL) {
                    assertThat(refusal.retryAfter()).isPresent();
                    assertThat(refusal).hasMessageContaining("MiB free");
                    if (untilFull) {
                        return;
                    }
                } else if (refusal.code().advice() != ErrorCode.Advice.RETRY_LATER) {
                    unknown.put(i % QUEUES + "/" + pid, true);
                }
            }
        }
    }

    static Bytes data() {
        byte[] data = new byte[DATA_BYTES];
        ThreadLocalRandom.current().nextBytes(data);
        return Bytes.wrap(data);
    }

    void awaitEnd() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** The acknowledged tasks, as queue/PID. */
    Set<String> acknowledged() {
        return acknowledged;
    }

    /** The tasks with an unknown outcome, as queue/PID. */
    Set<String> unknown() {
        return unknown.keySet();
    }

    Map<ErrorCode, Integer> errors() {
        synchronized (errors) {
            return new EnumMap<>(errors);
        }
    }

    /** Stops the load, and waits for the calls in flight. Idempotent. */
    void stop() throws InterruptedException {
        stopped.set(true);
        awaitEnd();
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
