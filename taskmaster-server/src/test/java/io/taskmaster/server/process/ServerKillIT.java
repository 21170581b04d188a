package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a server that is killed under load, several times on the same data, and checked each time for everything
 * that it acknowledged: twice in every build, fifty times in the profile {@code slow}. Every third time it is killed
 * once more during its recovery.
 *
 * <p>System properties: {@code taskmaster.kills}, {@code taskmaster.seed}. The seed determines the requests of the
 * clients, but not the moment of the kill.
 */
final class ServerKillIT {

    private static final int KILLS = Integer.getInteger("taskmaster.kills", 2);
    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime());
    private static final int WORKERS = 12;
    private static final Duration CALL = Duration.ofSeconds(10);

    /** The deadline of calls while no server is killed. Only a slow machine needs it. */
    private static final Duration INSPECTION = Duration.ofMinutes(1);

    private static final Duration LOAD = Duration.ofSeconds(6);
    private static final List<GroupName> GROUPS =
            List.of(GroupName.of("amber"), GroupName.of("birch"), GroupName.of("cedar"));
    private static final QueueKey PROBE = QueueKey.of("probe", "probe");

    @TempDir
    private Path folder = Path.of("");

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final TokenLedger tokens = new TokenLedger();
    private final AtomicLong acknowledged = new AtomicLong();
    private final List<Long> recoveryMillis = new ArrayList<>();
    private final List<Long> recoveryCpuMillis = new ArrayList<>();
    private final List<Long> silenceMillis = new ArrayList<>();

    @Test
    void whatWasAcknowledgedSurvivesEveryKill() throws Exception {
        System.out.printf("%d kills, seed %d%n", KILLS, SEED);
        ForkedServer server = start();
        try {
            for (int round = 1; round <= KILLS; round++) {
                loadAndKill(server);
                if (round % 3 == 0) {
                    server = start();
                    pause(random.nextInt(100, 2_000));
                    server.kill();
                }
                server = inspectRestarted(round);
            }
            try (var client = client(server.awaitServing(), INSPECTION)) {
                int drained = new Aftermath(client.blocking(), GROUPS, tokens).drain();
                System.out.printf(
                        """
                        %d operations acknowledged, %d tokens left
                        start to first acknowledged update: median %d ms, longest %d ms; processor time median %d ms
                        the last call under way came back %d ms after a kill at most
                        """,
                        acknowledged.get(),
                        drained,
                        median(recoveryMillis),
                        Collections.max(recoveryMillis),
                        median(recoveryCpuMillis),
                        Collections.max(silenceMillis));
                assertThat(drained).isEqualTo(tokens.count());
            }
            assertThat(server.terminate()).isZero();
        } finally {
            server.close();
        }
    }

    private ForkedServer start() {
        return ForkedServer.start(
                folder.resolve("data"),
                folder,
                "partitions=32",
                "window.bytes=2MiB",
                "flush.interval=" + random.nextInt(20, 1_000) + "ms");
    }

    private void loadAndKill(ForkedServer server) throws Exception {
        var stop = new AtomicBoolean();
        List<Future<?>> workers = new ArrayList<>();
        try (var client = client(server.awaitServing(), CALL);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < WORKERS; i++) {
                workers.add(threads.submit(
                        new LoadWorker(client.blocking(), GROUPS, tokens, random.split(), stop, acknowledged)));
            }
            awaitAcknowledged(acknowledged.get() + random.nextInt(200, 3_000));
            server.kill();
            long killed = System.nanoTime();
            stop.set(true);
            for (Future<?> worker : workers) {
                awaitWorker(worker);
            }
            silenceMillis.add(Duration.ofNanos(System.nanoTime() - killed).toMillis());
        }
    }

    /**
     * Waits for a number of acknowledged operations, so that each round has some on a slow machine as well; for at most
     * {@link #LOAD} on a very slow one.
     */
    private void awaitAcknowledged(long operations) {
        long deadline = System.nanoTime() + LOAD.toNanos();
        while (acknowledged.get() < operations && System.nanoTime() < deadline) {
            pause(1);
        }
    }

    /** Waits for a worker. A call never hangs: it returns within its deadline. */
    private static void awaitWorker(Future<?> worker) throws InterruptedException {
        try {
            worker.get(2 * CALL.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException hangs) {
            throw new AssertionError("a call hangs", hangs);
        } catch (ExecutionException failed) {
            throw new AssertionError("a worker met what no kill explains", failed.getCause());
        }
    }

    private ForkedServer inspectRestarted(int round) {
        long started = System.nanoTime();
        ForkedServer server = start();
        try (var client = client(server.awaitServing(), INSPECTION)) {
            var blocking = client.blocking();
            blocking.enqueue(PROBE, Bytes.EMPTY);
            recoveryMillis.add(Duration.ofNanos(System.nanoTime() - started).toMillis());
            recoveryCpuMillis.add(server.cpu().toMillis());
            blocking.delete(QueueSelector.of(PROBE));
            int known = tokens.count();
            new Aftermath(blocking, GROUPS, tokens).inspect();
            System.out.printf(
                    "kill %d: %d operations acknowledged so far, %d tokens under way, serving again after %d ms%n",
                    round, acknowledged.get(), known, recoveryMillis.getLast());
            return server;
        } catch (AssertionError | RuntimeException failure) {
            System.out.println(server.errors());
            server.kill();
            throw failure;
        }
    }

    private static TaskMasterClient client(String target, Duration deadline) {
        return TaskMasterClient.builder(target)
                .deadline(deadline)
                .maxRetries(6)
                .drain(Duration.ZERO)
                .build();
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** Pauses. The duration is part of the test, not a wait for a condition. */
    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
