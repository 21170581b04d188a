package io.taskmaster.server.partition;

import io.taskmaster.server.engine.EngineSettings;
import io.taskmaster.server.partition.log.LogSettings;

/**
 * The bounds of a partition. Immutable.
 *
 * @param refillMaxTasks the most that one scan brings into a window
 * @param refillMaxBytes likewise
 * @param indexRows so many rows of the time index are read at once
 * @param activationBytes delayed tasks are read, and moved to their places, in pieces of about this size
 * @param timePatienceMillis how long a request waits until all is counted that has run out by now
 * @param admissionMillis how long a request may wait for its turn, or for dirty memory, before it is refused
 * @param logWaitMillis how long an atom should wait for the log at most ({@link Backlog})
 * @param largeElements an update of more elements, or a round of more changes, is decided beside the loop
 * @param retryDelayMillis what a caller is told to wait when he comes at a bad time
 */
public record PartitionSettings(
        EngineSettings engine,
        LogSettings log,
        FlushSettings flush,
        int refillMaxTasks,
        long refillMaxBytes,
        int indexRows,
        int activationBytes,
        long timePatienceMillis,
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

    /** The same for a node with these budgets: what is read or written at once is a small part of them. */
    public PartitionSettings within(long windowBytes, long dirtyBytes) {
        return new PartitionSettings(
                engine,
                log,
                flush.within(dirtyBytes),
                refillMaxTasks,
                Math.min(refillMaxBytes, windowBytes / 8),
                indexRows,
                activationBytes,
                timePatienceMillis,
                admissionMillis,
                logWaitMillis,
                largeElements,
                retryDelayMillis);
    }
}
