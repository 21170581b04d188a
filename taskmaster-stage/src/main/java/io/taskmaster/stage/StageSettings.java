package io.taskmaster.stage;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ServiceClass;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.control.Range;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings of a stage, in each worker process that runs it. Immutable.
 *
 * @param concurrency the number of handlers that run at once, initially if a controller decides; default 16
 * @param concurrencyController the controller of the concurrency; absent: it is fixed
 * @param prefetch the number of tasks that are leased ahead, besides those that handlers have; default 0
 * @param maxBatch the maximum number of tasks that a batch handler gets, initially if a controller decides; default 1
 * @param batchController the controller of the batch size; absent: it is fixed
 * @param lease the length of leases and of each renewal, 100 ms to 7 days; default 60 s. Tasks of a worker that died
 *     are offered again after so long
 * @param maxWait the time that one call waits for tasks, 0 to 60 s; default 20 s
 * @param timeout the time that a handler may take, 1 ms to 7 days; default 10 min. Then it is interrupted, and its task
 *     is tried again
 * @param isComputing whether handlers run on platform threads, as many as processors, instead of virtual threads
 * @param serviceTime the time that a handler is expected to take; it is only compared with the lease
 * @param rate the rate at which tasks go to handlers; absent: no limit
 * @param keys the order and the limits of tasks with the same key
 * @param maxPerQueue the maximum number of leases of one queue, of all workers together; 0: no limit
 * @param maxPid the largest PID that is leased, a function of the time at each call; absent: no limit
 * @param serviceClass the class of the stage's calls under overload; default {@code INTERACTIVE}
 * @param retry the retry policy
 */
public record StageSettings(
        int concurrency,
        Optional<Controller> concurrencyController,
        int prefetch,
        int maxBatch,
        Optional<Controller> batchController,
        Duration lease,
        Duration maxWait,
        Duration timeout,
        boolean isComputing,
        Optional<Duration> serviceTime,
        Optional<Rate> rate,
        KeyRule keys,
        int maxPerQueue,
        Optional<Function<Instant, Pid>> maxPid,
        ServiceClass serviceClass,
        RetryPolicy retry) {

    /** The maximum number of tasks that a worker holds of one stage, which is the maximum of one lease call. */
    public static final int MAX_IN_HAND = 10_000;

    private static final Duration MIN_LEASE = Duration.ofMillis(100);
    private static final Duration MAX_LEASE = Duration.ofDays(7);
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /** The defaults of a stage. */
    public static final StageSettings DEFAULT = new StageSettings(
            16,
            Optional.empty(),
            0,
            1,
            Optional.empty(),
            LeaseRequest.DEFAULT_LENGTH,
            Duration.ofSeconds(20),
            Duration.ofMinutes(10),
            false,
            Optional.empty(),
            Optional.empty(),
            KeyRule.NONE,
            0,
            Optional.empty(),
            ServiceClass.INTERACTIVE,
            RetryPolicy.DEFAULT);

    public StageSettings {
        requireAtLeast("concurrency", concurrency, 1);
        requireAtLeast("prefetch", prefetch, 0);
        requireAtLeast("maxBatch", maxBatch, 1);
        requireAtLeast("maxPerQueue", maxPerQueue, 0);
        within("lease", lease, MIN_LEASE, MAX_LEASE);
        within("maxWait", maxWait, Duration.ZERO, MAX_WAIT);
        within("timeout", timeout, Duration.ofMillis(1), MAX_LEASE);
        within("serviceTime", serviceTime.orElse(Duration.ZERO), Duration.ZERO, MAX_LEASE);
        int maxConcurrent = range(concurrencyController, concurrency).most();
        int maxBatchSize = range(batchController, maxBatch).most();
        if (inHand(maxConcurrent, maxBatchSize, prefetch) > MAX_IN_HAND) {
            throw new IllegalArgumentException("concurrency x maxBatch + prefetch: %d x %d + %d (expected: %d or less)"
                    .formatted(maxConcurrent, maxBatchSize, prefetch, MAX_IN_HAND));
        }
    }

    /** Returns the range of the concurrency. */
    public Range concurrencies() {
        return range(concurrencyController, concurrency);
    }

    /** Returns the range of {@link #maxBatch}. */
    public Range batches() {
        return range(batchController, maxBatch);
    }

    /**
     * Returns whether a task that is tried again stays with its worker while those behind it wait: because of the
     * {@linkplain KeyRule#atOnce keys}, or because one task of a queue is leased at a time.
     */
    public boolean keepsOrder() {
        return keys.keepsOrder() || maxPerQueue == 1;
    }

    /**
     * Returns the maximum number of tasks that a worker holds, waiting or with handlers, whatever controllers decide.
     */
    public int inHand() {
        return (int) inHand(concurrencies().most(), batches().most(), prefetch);
    }

    /** Returns the time from the enqueue of a task to this lease, by the server's clock alone. */
    public Duration queued(LeasedTask task) {
        Duration queued = Duration.between(task.enqueued(), task.leaseExpires().minus(lease));
        return queued.isNegative() ? Duration.ZERO : queued;
    }

    /**
     * Returns the longest time that a task leased ahead is expected to wait, whatever controllers decide; zero if no
     * service time is declared.
     */
    Duration longestWait() {
        long rounds = Math.ceilDiv(
                prefetch, (long) concurrencies().least() * batches().least());
        return serviceTime.orElse(Duration.ZERO).multipliedBy(rounds);
    }

    private static Range range(Optional<Controller> controller, int setting) {
        return controller.map(Controller::range).orElse(Range.only(setting));
    }

    private static long inHand(int concurrency, int maxBatch, int prefetch) {
        return (long) concurrency * maxBatch + prefetch;
    }

    private static void requireAtLeast(String name, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException("%s: %d (expected: %d or more)".formatted(name, value, min));
        }
    }

    private static void within(String name, Duration value, Duration min, Duration maxConcurrent) {
        if (value.compareTo(min) < 0 || value.compareTo(maxConcurrent) > 0) {
            throw new IllegalArgumentException(
                    "%s: %s (expected: %s to %s)".formatted(name, value, min, maxConcurrent));
        }
    }
}
