package io.taskmaster.server.config;

import io.taskmaster.proxy.config.SettingValues;
import io.taskmaster.server.partition.budget.MemoryBudget;
import java.time.Duration;

/**
 * The memory of a node for tasks and queues: a budget for each kind of state, and the bounds on moving it from and to
 * the store. Immutable.
 *
 * @param windowBytes memory for the heads of all queues together
 * @param refillMaxTasks the maximum number of tasks that one refill of a window reads
 * @param dirtyBytes memory for committed changes that are not yet written to the task rows
 * @param flushInterval the age at which such changes are written
 * @param dedupBytes memory for the updates with a request id that are remembered
 * @param dedupWindow the time for which such an update is remembered
 * @param maxQueues the maximum number of queues with tasks or options
 */
public record MemoryConfig(
        long windowBytes,
        int refillMaxTasks,
        long dirtyBytes,
        Duration flushInterval,
        long dedupBytes,
        Duration dedupWindow,
        long maxQueues) {

    static final int MAX_REFILL_TASKS = 1 << 20;
    static final long MIN_BUDGET_BYTES = 1L << 20;
    static final long MIN_DEDUP_BYTES = 1L << 16;
    static final Duration MIN_DEDUP_WINDOW = Duration.ofSeconds(1);
    static final Duration MAX_DEDUP_WINDOW = Duration.ofDays(1);
    static final Duration MIN_FLUSH_INTERVAL = Duration.ofMillis(1);
    static final Duration MAX_FLUSH_INTERVAL = Duration.ofMinutes(1);

    public MemoryConfig {
        NodeSetting.WINDOW_BYTES.checkWithin(windowBytes, MIN_BUDGET_BYTES, Long.MAX_VALUE);
        NodeSetting.REFILL_MAX_TASKS.checkWithin(refillMaxTasks, 1, MAX_REFILL_TASKS);
        NodeSetting.DIRTY_BYTES.checkWithin(dirtyBytes, MIN_BUDGET_BYTES, Long.MAX_VALUE);
        NodeSetting.FLUSH_INTERVAL.checkWithin(flushInterval, MIN_FLUSH_INTERVAL, MAX_FLUSH_INTERVAL);
        NodeSetting.DEDUP_BYTES.checkWithin(dedupBytes, MIN_DEDUP_BYTES, Long.MAX_VALUE);
        NodeSetting.DEDUP_WINDOW.checkWithin(dedupWindow, MIN_DEDUP_WINDOW, MAX_DEDUP_WINDOW);
        NodeSetting.MAX_QUEUES.checkWithin(maxQueues, 1L, Long.MAX_VALUE);
    }

    static MemoryConfig of(SettingValues values) {
        return new MemoryConfig(
                values.bytes(NodeSetting.WINDOW_BYTES),
                values.integer(NodeSetting.REFILL_MAX_TASKS),
                values.bytes(NodeSetting.DIRTY_BYTES),
                values.duration(NodeSetting.FLUSH_INTERVAL),
                values.bytes(NodeSetting.DEDUP_BYTES),
                values.duration(NodeSetting.DEDUP_WINDOW),
                values.count(NodeSetting.MAX_QUEUES, MemoryBudget.QUEUE_BYTES));
    }
}
