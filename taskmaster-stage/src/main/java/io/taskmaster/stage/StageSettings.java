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
 * How a stage is run by each worker process that runs it. Immutable.
 *
 * @param concurrency how many handlers run at once; to begin with, if a controller decides
 * @param concurrencyController who decides on that; absent: it stays
 * @param prefetch how many tasks are leased ahead, besides those that handlers have
 * @param maxBatch how many tasks a batch handler gets at most; to begin with, if a controller decides
 * @param batchController who decides on that; absent: it stays
 * @param lease how long tasks are leased, and from each renewal on; those of a worker that died are offered again after so long
 * @param maxWait how long one call waits for a task
 * @param timeout how long a handler may take; then it is interrupted, and its task is tried again
 * @param isComputing whether handlers run on platform threads, as many as processors, and not on virtual threads
 * @param serviceTime how long a handler is expected to take; it is only compared with the lease
 * @param rate at which tasks go to handlers; absent: as they come
 * @param keys what tasks of one key have in common
 * @param maxPerQueue how many tasks of one queue may be leased at once, by all workers together; 0: no limit
 * @param maxPid up to which PID tasks are leased, asked with the time at each call; absent: all of them
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

    /** How many tasks a worker may have of one stage: what one lease call may ask for. */
    public static final int MAX_IN_HAND = 10_000;

    private static final Duration MIN_LEASE = Duration.ofMillis(100);
    private static final Duration MAX_LEASE = Duration.ofDays(7);
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /** What a stage has that says nothing else. */
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
        atLeast("concurrency", concurrency, 1);
        atLeast("prefetch", prefetch, 0);
        atLeast("maxBatch", maxBatch, 1);
        atLeast("maxPerQueue", maxPerQueue, 0);
        within("lease", lease, MIN_LEASE, MAX_LEASE);
        within("maxWait", maxWait, Duration.ZERO, MAX_WAIT);
        within("timeout", timeout, Duration.ofMillis(1), MAX_LEASE);
        within("serviceTime", serviceTime.orElse(Duration.ZERO), Duration.ZERO, MAX_LEASE);
        int most = range(concurrencyController, concurrency).most();
        int mostTogether = range(batchController, maxBatch).most();
        if (inHand(most, mostTogether, prefetch) > MAX_IN_HAND) {
            throw new IllegalArgumentException("concurrency x maxBatch + prefetch: %d x %d + %d (expected: %d or less)"
                    .formatted(most, mostTogether, prefetch, MAX_IN_HAND));
        }
    }

    /** What the concurrency is, or may become. */
    public Range concurrencies() {
        return range(concurrencyController, concurrency);
    }

    /** What {@link #maxBatch} is, or may become. */
    public Range batches() {
        return range(batchController, maxBatch);
    }

    /**
     * Whether a task that is tried again stays in our hands, and those behind it wait: as the {@linkplain KeyRule#atOnce keys} say, or because one task of a queue is leased at
     * once.
     */
    public boolean keepsOrder() {
        return keys.keepsOrder() || maxPerQueue == 1;
    }

    /** How many tasks a worker has at most, waiting or at work, whatever controllers say. */
    public int inHand() {
        return (int) inHand(concurrencies().most(), batches().most(), prefetch);
    }

    /** How long a task had been queued when it was leased by this stage: since it was enqueued, by the server's clock alone. */
    public Duration queued(LeasedTask task) {
        Duration queued = Duration.between(task.enqueued(), task.leaseExpires().minus(lease));
        return queued.isNegative() ? Duration.ZERO : queued;
    }

    /** How long the last of the tasks that were leased ahead is expected to wait, whatever controllers say; zero if nobody said how long one takes. */
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

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException("%s: %d (expected: %d or more)".formatted(name, value, least));
        }
    }

    private static void within(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException("%s: %s (expected: %s to %s)".formatted(name, value, least, most));
        }
    }
}
