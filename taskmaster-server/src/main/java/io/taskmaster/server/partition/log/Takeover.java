package io.taskmaster.server.partition.log;

import io.taskmaster.error.PartitionOwner;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.ownership.NotAdmittedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCell;
import io.taskmaster.server.partition.log.ownership.ScrubRule;
import io.taskmaster.server.partition.log.row.CorruptLogException;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.partition.log.row.LoggedAtom;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The takeover of a partition by a candidate owner. One instance is one attempt. Single-threaded: owned by the loop.
 *
 * <ol>
 *   <li>Compare-and-set the record to the next epoch, with a fresh nonce.
 *   <li>Replay every epoch from the checkpoint's to the last ended one, in order, and fence each at its end. All of
 *       them, not only the last: an earlier owner may still be writing to any epoch whose fencing was not finished.
 *   <li>If the record lists too many unclean epochs, rewrite the rows ({@link Scrub}) and drop the list.
 *   <li>Read the record once more. If it is unchanged, no later owner trimmed the log while it was being read.
 * </ol>
 *
 * <pre>{@code
 * state      | event                          | next state | effect
 * -----------+--------------------------------+------------+------------------------------------------------
 * reading    | the record does not admit us   | failed     | NotAdmittedException
 * reading    | the epoch is the last possible | failed     | StoreException
 * reading    | the record admits us           | replacing  | compare-and-set to epoch + 1
 * replacing  | stored                         | replaying  | epochs from the checkpoint's on, one by one
 * replacing  | another owner was faster       | failed     | DeposedException
 * replaying  | an epoch ended at a fence      | replaying  | the next epoch; at this one's: settling
 * replaying  | corruption                     | failed     | CorruptLogException
 * settling   | no scrub due, record unchanged | done       | EpochOwnership
 * settling   | scrub done, record replaced    | done       | EpochOwnership, with the list dropped
 * settling   | the record has another owner   | failed     | DeposedException
 * any        | a call failed, tries used up   | failed     | StoreException; a new attempt is safe
 * }</pre>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The epoch is set before any log row is read. From then on no earlier owner can advance the checkpoint, so none
 *       can trim rows that this takeover still has to read; only a later owner can, which the last step detects.
 *   <li>Atoms reach {@code replay} in the order of their tickets, each once, and only those above the checkpoint's
 *       ticket. A ticket that does not rise is corruption.
 *   <li>A failed attempt leaves at most an epoch without log rows, fences, and rewritten rows, so a new attempt with a
 *       new nonce is safe. The state that {@code replay} has built by then must be discarded.
 * </ul>
 *
 * <p>See ADR 4 for fences and the last look at the record, ADR 15 for scrubs.
 */
public final class Takeover {

    private final Store store;
    private final StoreCalls calls;
    private final LogSettings settings;
    private final int partition;
    private final OwnerCandidate owner;
    private final Nonce nonce;
    private final Consumer<LoggedAtom> replay;
    private final PartitionRecordCell cell;
    private final NavigableMap<Long, Long> endedAt = new TreeMap<>();
    private long lastTicket;

    /**
     * Creates an attempt.
     *
     * @param loop the loop on which everything runs, {@code replay} included
     * @param random the source of the nonce
     * @param owner the candidate
     * @param replay receives the atoms above the checkpoint, in the order of their tickets
     */
    public Takeover(
            Store store,
            TimedExecutor loop,
            LogSettings settings,
            RandomGenerator random,
            int partition,
            OwnerCandidate owner,
            Consumer<LoggedAtom> replay) {
        this.store = store;
        this.calls = new StoreCalls(loop, settings.maxTries());
        this.settings = settings;
        this.partition = partition;
        this.owner = owner;
        this.nonce = Nonce.draw(random);
        this.replay = replay;
        this.cell = new PartitionRecordCell(store, calls, partition);
    }

    /**
     * Takes the partition over. Fails with a {@link NotAdmittedException} if the record has an owner under a map that
     * is no older, with a {@link DeposedException} if the record changed meanwhile, with a {@link CorruptLogException}
     * if the log is corrupt, and with a {@link io.taskmaster.server.store.StoreException} if calls of the store keep
     * failing: then a new attempt is safe.
     */
    public CompletableFuture<EpochOwnership> run() {
        return StoreCalls.unwrapped(cell.read().thenCompose(found -> {
            PartitionRecord before = found.orElse(PartitionRecord.UNOWNED);
            requireRight(before);
            PartitionRecord record = before.succeededBy(owner, nonce, new ScrubRule(partition, settings.uncleanEnds()));
            lastTicket = record.checkpoint().ticket();
            return cell.replace(record)
                    // Epoch 0 is that of a partition without an owner and has no log.
                    .thenCompose(_ -> finish(Math.max(1, record.checkpoint().epoch()), before, record))
                    .thenCompose(_ -> settle(record))
                    .thenApply(settled -> new EpochOwnership(settled, endedAt, lastTicket));
        }));
    }

    /**
     * Verifies that no other owner has taken over meanwhile, once the rows are as the record says; scrubs the rows
     * first if that is due.
     */
    private CompletableFuture<PartitionRecord> settle(PartitionRecord record) {
        if (record.stage() != PartitionRecord.Stage.SCRUBBING) {
            return cell.confirm().thenApply(_ -> record);
        }
        PartitionRecord scrubbed = record.scrubbed();
        return new Scrub(store, calls, settings, partition, record)
                .run()
                // Only now: the list of epochs may be dropped once every row that counts is rewritten and durable (ADR
                // 15). Being a comparison, this is also the last look at the record.
                .thenCompose(_ -> cell.replace(scrubbed))
                .thenApply(_ -> scrubbed);
    }

    private void requireRight(PartitionRecord before) {
        if (!before.admits(owner)) {
            throw new NotAdmittedException(
                    new PartitionOwner(partition, before.mapVersion(), before.owner(), ""), owner);
        }
        if (before.epoch() >= Stamp.MAX_EPOCH) {
            throw new StoreException(
                    Outcome.CORRUPT,
                    "partition %d: epoch %d was its last (expected: fewer takeovers)"
                            .formatted(partition, before.epoch()),
                    null);
        }
    }

    /** Replays all epochs from this one on to their ends. */
    private CompletableFuture<Void> finish(long epoch, PartitionRecord before, PartitionRecord record) {
        if (epoch == record.epoch()) {
            return CompletableFuture.completedFuture(null);
        }
        Checkpoint checkpoint = record.checkpoint();
        LogKey start = new LogKey(partition, epoch, epoch == checkpoint.epoch() ? checkpoint.sequence() : 0);
        // The record names the nonce of the last owner only. In earlier epochs the first row tells it.
        @Nullable Nonce writer = epoch == before.epoch() ? before.nonce() : null;
        return new EpochReplay(store, calls, settings, nonce, start, writer, atom -> deliver(epoch, checkpoint, atom))
                .run()
                .thenCompose(fence -> {
                    endedAt.put(epoch, fence);
                    return finish(epoch + 1, before, record);
                });
    }

    private void deliver(long epoch, Checkpoint checkpoint, LoggedAtom atom) {
        if (atom.ticket() <= checkpoint.ticket()) {
            return;
        }
        if (atom.ticket() <= lastTicket) {
            throw new CorruptLogException(
                    "the log of partition %d is corrupt: ticket %d in epoch %d (expected: above %d)"
                            .formatted(partition, atom.ticket(), epoch, lastTicket));
        }
        lastTicket = atom.ticket();
        replay.accept(atom);
    }
}
