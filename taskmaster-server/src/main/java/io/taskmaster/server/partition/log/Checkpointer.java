package io.taskmaster.server.partition.log;

import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCell;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.store.Store;
import java.util.concurrent.CompletableFuture;

/**
 * The checkpoint of one owner, which advances with every flush round and has the log trimmed behind it.
 * Single-threaded: owned by the loop.
 *
 * <p>The whole record is replaced by compare-and-set, so a deposed owner moves nothing. Rows are deleted only after the
 * record that no longer needs them is stored. A call that fails leaves {@code advancing} set: its outcome may be
 * unknown, so this owner must not write the record again.
 */
public final class Checkpointer {

    /** The number of epochs beyond the minimum that the next owner may have to read or sweep. */
    private static final int MAX_EPOCHS_BEHIND = 16;

    private final int partition;
    private final PartitionRecordCell cell;
    private final LogTrimmer trimmer;
    private PartitionRecord record;
    private boolean advancing;

    /**
     * Creates the checkpointer of a new owner.
     *
     * @param onTrimmed called when the log has been trimmed, or trimming has failed
     */
    public Checkpointer(
            Store store,
            TimedExecutor executor,
            LogSettings settings,
            int partition,
            EpochOwnership epochOwnership,
            Runnable onTrimmed) {
        StoreCalls calls = new StoreCalls(executor, settings.maxTries());
        this.partition = partition;
        this.record = epochOwnership.record();
        this.cell = new PartitionRecordCell(store, calls, partition, record);
        this.trimmer = new LogTrimmer(store, calls, settings, partition, epochOwnership, onTrimmed);
    }

    /** The record as last stored. */
    public PartitionRecord record() {
        return record;
    }

    /** Returns true if no call to the store is in flight, trimming included. */
    public boolean isSettled() {
        return !advancing && !trimmer.isBusy();
    }

    /**
     * Returns true if the record leaves the next owner many epochs to read or to sweep. A round then brings it up to
     * date, even one that has nothing to write: otherwise takeovers of an idle partition would take longer and longer.
     */
    public boolean isBehind() {
        return record.epoch() - record.checkpoint().epoch() > MAX_EPOCHS_BEHIND
                || trimmer.sweptTo() - record.sweptTo() > MAX_EPOCHS_BEHIND;
    }

    /**
     * Stores that this owner has written everything and has nothing in flight. Its successor then replays nothing and
     * believes all that this epoch wrote. The last operation of an owner. Fails as {@link #advance} does.
     *
     * @param end the end of the log, all of which is in the task rows
     */
    public CompletableFuture<Void> close(Checkpoint end) {
        if (advancing) {
            throw new IllegalStateException("a checkpoint is on its way, or failed (expected: one at a time)");
        }
        advancing = true;
        return StoreCalls.unwrapped(cell.replace(record.closedAt(end, trimmer.sweptTo())));
    }

    /**
     * Stores that a flush round is complete, then trims the log in the background. One call at a time. Fails with a
     * {@link DeposedException} if the partition has another owner, and with a
     * {@link io.taskmaster.server.store.StoreException} if it is unknown whether the record was stored. After either
     * this owner must stop.
     *
     * @param checkpoint from {@link LogWriter#sealedPosition}; everything before it is committed and in the task rows
     * @param round above the last complete one
     */
    public CompletableFuture<PartitionRecord> advance(Checkpoint checkpoint, long round) {
        if (advancing) {
            throw new IllegalStateException("a checkpoint is on its way, or failed (expected: one at a time)");
        }
        PartitionRecord next = record.advancedTo(checkpoint, round, trimmer.sweptTo());
        advancing = true;
        return StoreCalls.unwrapped(cell.replace(next).thenApply(_ -> {
            advancing = false;
            record = next;
            // Only now: a successor that reads the old record replays from the old checkpoint, and needs these rows.
            trimmer.trim(new LogKey(partition, checkpoint.epoch(), checkpoint.sequence()));
            return next;
        }));
    }
}
