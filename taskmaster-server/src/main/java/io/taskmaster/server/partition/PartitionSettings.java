package io.taskmaster.server.partition;

import io.taskmaster.server.engine.EngineSettings;
import io.taskmaster.server.partition.log.LogSettings;

/**
 * The bounds of a partition. Immutable.
 *
 * @param flushIntervalMillis dirty state is written to the rows after this time at the latest
 * @param flushBytes or once there is so much of it
 * @param refillMaxTasks the most that one scan brings into a window
 * @param refillMaxBytes likewise
 * @param writeBytes a round is written in pieces of about this size
 * @param writesInFlight and so many of them at once
 * @param indexRows so many rows of the time index are read at once
 * @param retryDelayMillis what a caller is told to wait when he comes at a bad time
 */
public record PartitionSettings(
        EngineSettings engine,
        LogSettings log,
        long flushIntervalMillis,
        long flushBytes,
        int refillMaxTasks,
        long refillMaxBytes,
        int writeBytes,
        int writesInFlight,
        int indexRows,
        long retryDelayMillis) {

    public PartitionSettings {
        if (refillMaxTasks < engine.lowWaterTasks()) {
            throw new IllegalArgumentException("refillMaxTasks: " + refillMaxTasks
                    + " (expected: at least lowWaterTasks, " + engine.lowWaterTasks() + ")");
        }
    }

    public static final PartitionSettings DEFAULTS = new PartitionSettings(
            EngineSettings.DEFAULTS, LogSettings.DEFAULT, 1000, 16L << 20, 4096, 4L << 20, 256 << 10, 4, 1024, 100);
}
