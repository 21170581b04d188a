package io.taskmaster.bench.workload;

import com.google.common.base.Preconditions;
import io.taskmaster.bench.load.Timing;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * How hard and how long. Immutable.
 *
 * @param clients connections
 * @param outstanding requests, over all connections; absent = a default that depends on the batch
 * @param bytes of data per task
 * @param groups consistency groups that the load is spread over
 * @param queues per group
 * @param maxBacklog tasks that are at most enqueued before leasing begins, over all queues
 * @param maxRate tasks per second that are not expected to be exceeded, however the load is shaped
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

    /** Checks that all is in its range. */
    public Load {
        Preconditions.checkArgument(clients > 0, "clients: %s (expected: at least 1)", clients);
        outstanding.ifPresent(n -> Preconditions.checkArgument(n > 0, "outstanding: %s (expected: at least 1)", n));
        Preconditions.checkArgument(bytes >= 0, "bytes: %s (expected: at least 0)", bytes);
        Preconditions.checkArgument(groups > 0, "groups: %s (expected: at least 1)", groups);
        Preconditions.checkArgument(maxBacklog > 0, "backlog: %s (expected: at least 1)", maxBacklog);
        Preconditions.checkArgument(maxRate > 0, "rate: %s (expected: at least 1)", maxRate);
        Preconditions.checkArgument(queues > 0, "queues: %s (expected: at least 1)", queues);
    }

    /** Requests outstanding when each carries so many tasks. */
    public int outstanding(int batch) {
        return outstanding.orElse(batch == 1 ? SINGLE_OUTSTANDING : BATCH_OUTSTANDING);
    }

    /** As many tasks per queue as last for the whole run at this rate, within limits; then the run ends when they are gone. */
    public int preload(int tasksPerSecond) {
        double seconds = timing.warmup().plus(timing.measured()).toMillis() / 1e3;
        double wanted = Math.max(1000, seconds * Math.min(tasksPerSecond, maxRate));
        return (int) Math.max(1, Math.min(wanted, preloadLimit()) / (groups * queues));
    }

    /** For a run at this rate on preloaded tasks: warmed up no longer than leaves tasks to measure with, if they can be so many. */
    public Timing timingOnPreloaded(int tasksPerSecond) {
        long warmupMillis = (long) (1e3 * preloadLimit() / Math.min(tasksPerSecond, maxRate))
                - timing.measured().toMillis();
        Duration longest = Duration.ofMillis(Math.max(0, warmupMillis));
        return timing.warmup().compareTo(longest) > 0 ? new Timing(longest, timing.measured()) : timing;
    }

    private double preloadLimit() {
        return Math.min(maxBacklog, (double) PRELOAD_LIMIT_BYTES / Math.max(1, bytes));
    }
}
