package io.taskmaster.bench.workload;

import com.google.common.base.Preconditions;
import io.taskmaster.bench.load.Timing;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The shape and the duration of a load. Immutable.
 *
 * @param clients the number of connections
 * @param outstanding the number of requests in flight, over all connections; absent = a default that depends on the
 *     batch
 * @param bytes the size of the data of a task
 * @param groups the number of consistency groups that the load is spread over
 * @param queues the number of queues per group
 * @param maxBacklog the bound on the tasks that are enqueued before leasing begins, over all queues
 * @param maxRate a rate in tasks per second that is not expected to be exceeded by any shape of the load
 */
public record Load(
        int clients,
        OptionalInt outstanding,
        int bytes,
        int groups,
        int queues,
        int maxBacklog,
        int maxRate,
        Timing timing) {

    private static final int SINGLE_OUTSTANDING = 500;
    private static final int BATCH_OUTSTANDING = 100;
    private static final long PRELOAD_LIMIT_BYTES = 2_000_000_000;

    /** Checks the ranges. */
    public Load {
        Preconditions.checkArgument(clients > 0, "clients: %s (expected: at least 1)", clients);
        outstanding.ifPresent(n -> Preconditions.checkArgument(n > 0, "outstanding: %s (expected: at least 1)", n));
        Preconditions.checkArgument(bytes >= 0, "bytes: %s (expected: at least 0)", bytes);
        Preconditions.checkArgument(groups > 0, "groups: %s (expected: at least 1)", groups);
        Preconditions.checkArgument(maxBacklog > 0, "backlog: %s (expected: at least 1)", maxBacklog);
        Preconditions.checkArgument(maxRate > 0, "rate: %s (expected: at least 1)", maxRate);
        Preconditions.checkArgument(queues > 0, "queues: %s (expected: at least 1)", queues);
    }

    /** The number of requests in flight when each carries this number of tasks. */
    public int outstanding(int batch) {
        return outstanding.orElse(batch == 1 ? SINGLE_OUTSTANDING : BATCH_OUTSTANDING);
    }

    /**
     * The number of tasks to enqueue per queue before a run at this rate: enough for the whole run, within limits. If
     * the limit is lower, the run ends when the tasks are gone.
     */
    public int preload(int tasksPerSecond) {
        double seconds = timing.warmup().plus(timing.measured()).toMillis() / 1e3;
        double target = Math.max(1000, seconds * Math.min(tasksPerSecond, maxRate));
        return (int) Math.max(1, Math.min(target, preloadLimit()) / (groups * queues));
    }

    /**
     * The timing of a run at this rate on preloaded tasks. The warm-up is cut so far that enough tasks remain for the
     * measured time, as far as the limits permit.
     */
    public Timing timingOnPreloaded(int tasksPerSecond) {
        long warmupMillis = (long) (1e3 * preloadLimit() / Math.min(tasksPerSecond, maxRate))
                - timing.measured().toMillis();
        Duration maxWarmup = Duration.ofMillis(Math.max(0, warmupMillis));
        return timing.warmup().compareTo(maxWarmup) > 0 ? new Timing(maxWarmup, timing.measured()) : timing;
    }

    private double preloadLimit() {
        return Math.min(maxBacklog, (double) PRELOAD_LIMIT_BYTES / Math.max(1, bytes));
    }
}
