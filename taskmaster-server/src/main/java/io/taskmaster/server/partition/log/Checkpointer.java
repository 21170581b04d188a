package io.taskmaster.server.partition.log;

import io.taskmaster.server.store.Store;
import java.util.concurrent.CompletableFuture;

/**
 * Moves the checkpoint of an owner on, round after round, and trims the log behind it. Single-threaded: owned by the loop.
 *
 * <p>The whole record is compared and set, so a deposed owner moves nothing; and only a record that was set lets rows be deleted.
 */
public final class Checkpointer {

    /** So many epochs more than it must may the next owner read or sweep. */
    private static final int EPOCHS_LEFT = 16;

    private final int partition;
    private final RecordCell cell;
    private final LogTrimmer trimmer;
    private PartitionRecord record;
    private boolean advancing;

    /**
     * For a new owner.
     *
     * @param onTrimmed called when the log has been trimmed, as far as that went
     */
    public Checkpointer(
            Store store,
            TimedExecutor executor,
            LogSettings settings,
            int partition,
            Tenure tenure,
            Runnable onTrimmed) {
        StoreCalls calls = new StoreCalls(executor, settings.maxTries());
        this.partition = partition;
        this.record = tenure.record();
        this.cell = new RecordCell(store, calls, partition, record);
        this.trimmer = new LogTrimmer(store, calls, settings, partition, tenure, onTrimmed);
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
     * Whether the record leaves the next owner many epochs to read or to sweep. A round brings it up to date, also one that has nothing to
     * write: without it, starts of a partition that nobody uses would take longer and longer.
     */
    public boolean isBehind() {
        return record.epoch() - record.checkpoint().epoch() > EPOCHS_LEFT
                || trimmer.sweptTo() - record.sweptTo() > EPOCHS_LEFT;
    }

    /**
     * Stores that this owner has written everything and has nothing in flight: its successor has nothing to replay, and believes all that
     * it wrote. The last thing that it does. Fails as {@link #advance} does.
     *
     * @param end of the log, all of which is in the task rows
     */
    public CompletableFuture<Void> close(Checkpoint end) {
        if (advancing) {
            throw new IllegalStateException("a checkpoint is on its way, or failed (expected: one at a time)");
        }
        advancing = true;
        return StoreCalls.bare(cell.replace(record.closedAt(end, trimmer.sweptTo())));
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
        PartitionRecord next = record.advancedTo(checkpoint, round, trimmer.sweptTo());
        advancing = true;
        return StoreCalls.bare(cell.replace(next).thenApply(_ -> {
            advancing = false;
            record = next;
            trimmer.trim(new LogKey(partition, checkpoint.epoch(), checkpoint.sequence()));
            return next;
        }));
    }
}
