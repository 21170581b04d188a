package io.taskmaster.integration.hbase;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.server.process.Aftermath;
import io.taskmaster.server.process.LoadWorker;
import io.taskmaster.server.process.Tokens;
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
 * Clients that do everything that can be done with tasks, and write down what they were told, so that afterwards can be seen whether it was
 * true: what was acknowledged is there, what was dequeued is not, and counters equal a scan. Thread-safe.
 */
final class TokenLoad {

    private static final int WORKERS = 12;
    private static final Duration CALL = Duration.ofSeconds(10);

    /** HBase has to notice that a server is gone, split its log and open its regions elsewhere. */
    private static final Duration INSPECTION = Duration.ofMinutes(3);

    private static final List<GroupName> GROUPS =
            List.of(GroupName.of("amber"), GroupName.of("birch"), GroupName.of("cedar"));

    private final String target;
    private final SplittableRandom random;
    private final Tokens tokens = new Tokens();
    private final AtomicLong acknowledged = new AtomicLong();

    /**
     * @param target the server
     * @param seed of what they do
     */
    TokenLoad(String target, long seed) {
        this.target = target;
        this.random = new SplittableRandom(seed);
    }

    /** How many calls, of all that were ever at work. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** How many tokens are under way. */
    int tokens() {
        return tokens.count();
    }

    /** Sets clients to work. */
    Running start() {
        return new Running();
    }

    /** A client that waits as long as HBase may need. */
    TaskMasterClient patientClient() {
        return client(INSPECTION);
    }

    /** Looks everything over; nobody else may be at work. */
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

    /** Clients at work. */
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

        /** Comes back when every worker has had its last answer; fails if one met what no fault explains, or a call hangs. */
        void stop() throws InterruptedException {
            stop.set(true);
            for (Future<?> worker : workers) {
                awaitEnd(worker);
            }
        }

        /** A call comes back within its deadline. */
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
