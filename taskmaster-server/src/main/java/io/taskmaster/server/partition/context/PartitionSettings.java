package io.taskmaster.server.partition.context;

import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.partition.log.row.LogSettings;

/**
 * The settings of a partition. Immutable.
 *
 * @param refillMaxTasks the most tasks that one scan brings into a window
 * @param refillMaxBytes the most bytes that one scan brings into a window
 * @param indexRows the number of rows of the time index that are read at once
 * @param activationBytes the approximate size of the pieces in which delayed tasks are read, and moved to their places
 * @param catchUpTimeoutMillis the timeout of a request that waits until everything that has expired by now is counted
 * @param admissionMillis the longest wait of a request for admission, or for dirty memory, before it is refused
 * @param logWaitMillis the longest time that an atom should wait for the log ({@code LogBackpressure})
 * @param largeElements the number of elements of an update, or of changes of a round, above which it is offloaded
 * @param retryDelayMillis the retry delay for callers of requests that fail for a temporary reason
 */
public record PartitionSettings(
        EngineSettings engine,
        LogSettings log,
        FlushSettings flush,
        int refillMaxTasks,
        long refillMaxBytes,
        int indexRows,
        int activationBytes,
        long catchUpTimeoutMillis,
        long admissionMillis,
        long logWaitMillis,
        int largeElements,
        long retryDelayMillis) {

    public PartitionSettings {
        if (largeElements < 0) {
            throw new IllegalArgumentException("largeElements: " + largeElements + " (expected: at least 0)");
        }
        if (refillMaxTasks < engine.lowWaterTasks()) {
            throw new IllegalArgumentException("refillMaxTasks: " + refillMaxTasks
                    + " (expected: at least lowWaterTasks, " + engine.lowWaterTasks() + ")");
        }
    }

    public static final PartitionSettings DEFAULTS = new PartitionSettings(
            EngineSettings.DEFAULTS,
            LogSettings.DEFAULT,
            FlushSettings.DEFAULTS,
            4096,
            4L << 20,
            1024,
            1 << 20,
            100,
            1000,
            10,
            1_000,
            100);

    /** Returns these settings for a node with these budgets: one read or write takes a small part of them. */
    public PartitionSettings within(long windowBytes, long dirtyBytes) {
        return new PartitionSettings(
                engine,
                log,
                flush.within(dirtyBytes),
                refillMaxTasks,
                Math.min(refillMaxBytes, windowBytes / 8),
                indexRows,
                activationBytes,
                catchUpTimeoutMillis,
                admissionMillis,
                logWaitMillis,
                largeElements,
                retryDelayMillis);
    }
}
