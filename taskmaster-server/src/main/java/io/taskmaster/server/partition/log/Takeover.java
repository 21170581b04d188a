package io.taskmaster.server.partition.log;

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
 * Becomes the owner of a partition: once. Single-threaded: owned by the loop.
 *
 * <ol>
 *   <li>Compare-and-set the record to the next epoch, with a fresh nonce.
 *   <li>Read every epoch from the checkpoint's to the last ended one, in order, handing its atoms on, and fence it where it ends.
 *       All of them, not only the last: an earlier owner may still be writing to any that nobody finished fencing.
 *   <li>If there are too many ended epochs of which only some rounds count, {@link Scrub rewrite} the rows and drop the list.
 *   <li>Look at the record once more. If it is still ours, nobody trimmed what we were reading.
 * </ol>
 */
public final class Takeover {

    private final Store store;
    private final StoreCalls calls;
    private final LogSettings settings;
    private final int partition;
    private final Contender owner;
    private final Nonce nonce;
    private final Consumer<LoggedAtom> replay;
    private final RecordCell cell;
    private final NavigableMap<Long, Long> endedAt = new TreeMap<>();
    private long lastTicket;

    /**
     * @param loop where everything runs, {@code replay} included
     * @param random gives the nonce
     * @param replay takes the atoms above the checkpoint, in the order of their tickets
     */
    public Takeover(
            Store store,
            TimedExecutor loop,
            LogSettings settings,
            RandomGenerator random,
            int partition,
            Contender owner,
            Consumer<LoggedAtom> replay) {
        this.store = store;
        this.calls = new StoreCalls(loop, settings.maxTries());
        this.settings = settings;
        this.partition = partition;
        this.owner = owner;
        this.nonce = Nonce.draw(random);
        this.replay = replay;
        this.cell = new RecordCell(store, calls, partition);
    }

    /**
     * Takes over. Fails with a {@link DeposedException} if another was faster, with a {@link CorruptLogException} if the log cannot
     * be trusted, and with a {@link io.taskmaster.server.store.StoreException} if the store does not play along: then trying anew
     * is safe.
     */
    public CompletableFuture<Tenure> run() {
        return StoreCalls.bare(cell.read().thenCompose(found -> {
            PartitionRecord before = found.orElse(PartitionRecord.UNOWNED);
            requireRight(before);
            PartitionRecord record = before.succeededBy(owner, nonce, new ScrubRule(partition, settings.uncleanEnds()));
            lastTicket = record.checkpoint().ticket();
            return cell.replace(record)
                    .thenCompose(_ -> finish(Math.max(1, record.checkpoint().epoch()), before, record))
                    .thenCompose(_ -> settle(record))
                    .thenApply(settled -> new Tenure(settled, endedAt, lastTicket));
        }));
    }

    /** Makes sure that nobody else has taken over meanwhile, once the rows are as the record says. */
    private CompletableFuture<PartitionRecord> settle(PartitionRecord record) {
        if (record.stage() != PartitionRecord.Stage.SCRUBBING) {
            return cell.confirm().thenApply(_ -> record);
        }
        PartitionRecord scrubbed = record.scrubbed();
        return new Scrub(store, calls, settings, partition, record)
                .run()
                .thenCompose(_ -> cell.replace(scrubbed))
                .thenApply(_ -> scrubbed);
    }

    /** Two nodes that both think a partition theirs would depose each other for ever; so the one with the older map gives in. */
    private void requireRight(PartitionRecord before) {
        if (before.mapVersion() > owner.mapVersion()) {
            throw new DeposedException("partition %d is owned by %s, under map version %d (expected: at most ours, %d)"
                    .formatted(partition, before.owner(), before.mapVersion(), owner.mapVersion()));
        }
        if (before.epoch() >= Stamp.MAX_EPOCH) {
            throw new StoreException(
                    Outcome.CORRUPT,
                    "partition %d: epoch %d was its last (expected: fewer takeovers)"
                            .formatted(partition, before.epoch()),
                    null);
        }
    }

    /** Brings all epochs from this one on to their end. */
    private CompletableFuture<Void> finish(long epoch, PartitionRecord before, PartitionRecord record) {
        if (epoch == record.epoch()) {
            return CompletableFuture.completedFuture(null);
        }
        Checkpoint checkpoint = record.checkpoint();
        LogKey start = new LogKey(partition, epoch, epoch == checkpoint.epoch() ? checkpoint.sequence() : 0);
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
