package io.taskmaster.integration.hbase;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.server.process.Aftermath;
import io.taskmaster.server.process.LoadWorker;
import io.taskmaster.server.process.TokenLedger;
import java.time.Duration;
import java.util.ArrayList;
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

/**
 * A load of clients that use all operations on tasks, with a record of the replies. The record shows afterwards whether
 * the replies were true: every acknowledged task is there, no dequeued one is, and counters equal a scan. Thread-safe.
 */
final class TokenLoad {

    private static final int WORKERS = 12;
    private static final Duration CALL = Duration.ofSeconds(10);

    /**
     * The deadline of the inspection. HBase has to notice that a server is gone, split its log and open its regions
     * elsewhere.
     */
    private static final Duration INSPECTION = Duration.ofMinutes(3);

    private static final List<GroupName> GROUPS =
            List.of(GroupName.of("amber"), GroupName.of("birch"), GroupName.of("cedar"));

    private final String target;
    private final SplittableRandom random;
    private final TokenLedger tokens = new TokenLedger();
    private final AtomicLong acknowledged = new AtomicLong();

    /**
     * Prepares a load; starts nothing.
     *
     * @param target the address of the server
     * @param seed the seed of the clients' operations
     */
    TokenLoad(String target, long seed) {
        this.target = target;
        this.random = new SplittableRandom(seed);
    }

    /** The number of acknowledged calls, over all clients ever started. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** The number of tokens that are not known to be gone. */
    int tokens() {
        return tokens.count();
    }

    /** Starts clients. */
    Running start() {
        return new Running();
    }

    /** Returns a client with a deadline as long as HBase may need. */
    TaskMasterClient patientClient() {
        return client(INSPECTION);
    }

    /** Inspects all queues. No other client may be active. */
    void inspect(BlockingClient client) {
        new Aftermath(client, GROUPS, tokens).inspect();
    }

    private TaskMasterClient client(Duration deadline) {
        return TaskMasterClient.builder(target)
                .deadline(deadline)
                .maxRetries(100)
                .drain(Duration.ZERO)
                .build();
    }

    /** A set of running clients. */
    final class Running implements AutoCloseable {

        private final AtomicBoolean stop = new AtomicBoolean();
        private final TaskMasterClient client = client(CALL);
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Future<?>> workers = new ArrayList<>();

        private Running() {
            for (int i = 0; i < WORKERS; i++) {
                workers.add(threads.submit(
                        new LoadWorker(client.blocking(), GROUPS, tokens, random.split(), stop, acknowledged)));
            }
        }

        /**
         * Stops the clients. Blocks until every worker has received its last reply.
         *
         * @throws AssertionError if a worker met an error that no fault explains, or if a call hangs
         */
        void stop() throws InterruptedException {
            stop.set(true);
            for (Future<?> worker : workers) {
                awaitEnd(worker);
            }
        }

        /** Waits for a worker, whose last call ends within its deadline. */
        private static void awaitEnd(Future<?> worker) throws InterruptedException {
            try {
                worker.get(2 * CALL.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException hangs) {
                throw new AssertionError("a call hangs", hangs);
            } catch (ExecutionException failed) {
                throw new AssertionError("a worker met what no fault explains", failed.getCause());
            }
        }

        @Override
        public void close() {
            stop.set(true);
            threads.close();
            client.close();
        }
    }
}
