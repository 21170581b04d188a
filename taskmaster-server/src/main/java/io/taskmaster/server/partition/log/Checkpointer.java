package io.taskmaster.server.partition.log;

import io.taskmaster.server.store.Store;
import java.util.concurrent.CompletableFuture;

/**
 * Moves the checkpoint of an owner on, round after round, and trims the log behind it. Single-threaded: owned by the loop.
 *
 * <p>The whole record is compared and set, so a deposed owner moves nothing; and only a record that was set lets rows be deleted.
 */
public final class Checkpointer {

    private final int partition;
    private final RecordCell cell;
    private final LogTrimmer trimmer;
    private PartitionRecord record;
    private boolean advancing;

    /** For a new owner. */
    public Checkpointer(Store store, TimedExecutor executor, LogSettings settings, int partition, Tenure tenure) {
        StoreCalls calls = new StoreCalls(executor, settings.maxTries());
        this.partition = partition;
        this.record = tenure.record();
        this.cell = new RecordCell(store, calls, partition, record);
        this.trimmer = new LogTrimmer(store, calls, settings, partition, tenure);
    }

    /** The record as last stored. */
    public PartitionRecord record() {
        return record;
    }

    /** Whether nothing is on its way to the store, trimming included. */
    public boolean isSettled() {
        return !advancing && !trimmer.isBusy();
    }

    /**
     * Stores that a flush round is complete; then trims, in the background. One at a time. Fails with a {@link DeposedException} if
     * the partition has another owner, and with a {@link io.taskmaster.server.store.StoreException} if it cannot be known whether
     * the record was stored; after either this owner is done.
     *
     * @param checkpoint from {@link LogWriter#cut}; everything before it is committed, and in the task rows
     * @param round above the last complete one
     */
    public CompletableFuture<PartitionRecord> advance(Checkpoint checkpoint, long round) {
        if (advancing) {
            throw new IllegalStateException("a checkpoint is on its way, or failed (expected: one at a time)");
        }
        PartitionRecord next = record.advancedTo(checkpoint, round);
        advancing = true;
        return StoreCalls.bare(cell.replace(next).thenApply(_ -> {
            advancing = false;
            record = next;
            trimmer.trim(new LogKey(partition, checkpoint.epoch(), checkpoint.sequence()));
            return next;
        }));
    }
}
