package io.taskmaster.server.partition.claim;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.log.ownership.CompareAndSetCell;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.server.store.UnknownLayoutException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt to claim a store. One instance is one attempt. Single-threaded: owned by its executor.
 *
 * <pre>
 *   read --> absent, released, of the same node, or take-over requested -----> set ours, with the next number
 *                           --> its holder beats before ours is stored ------> read
 *        --> held by another node --> it beats while we watch ---------------> the store is in use
 *                                 --> it is released meanwhile --------------> set ours, with the next number
 *                                 --> no beat within our timeout ------------> set ours, with the next number
 * </pre>
 *
 * <p>The liveness of the holder is observed by watching its beat, not by comparing its clock with ours.
 */
public final class Claiming {

    private static final Logger log = LoggerFactory.getLogger(Claiming.class);
    private static final int MAX_TRIES = 10;

    private final TimedExecutor executor;
    private final Runnable onAbandoned;
    private final ClaimSettings settings;
    private final LongSupplier wallMillis;
    private final Nonce nonce;
    private final CompareAndSetCell cell;

    /**
     * Creates an attempt.
     *
     * @param onAbandoned run when the claim is abandoned
     * @param wallMillis the wall clock of the machine, for operators only
     */
    public Claiming(
            Store store,
            TimedExecutor executor,
            Runnable onAbandoned,
            ClaimSettings settings,
            RandomGenerator random,
            LongSupplier wallMillis) {
        this.executor = executor;
        this.onAbandoned = onAbandoned;
        this.settings = settings;
        this.wallMillis = wallMillis;
        this.nonce = Nonce.draw(random);
        this.cell = new CompareAndSetCell(
                store, new StoreCalls(executor, MAX_TRIES), ClaimCodec.key(), Optional.empty(), Claiming::lostTo);
    }

    /**
     * Takes the claim. Fails with a {@link StoreInUseException} if another node is alive or was faster, and with a
     * {@link io.taskmaster.server.store.StoreException} if calls of the store keep failing.
     */
    public CompletableFuture<HeldClaim> run() {
        CompletableFuture<HeldClaim> held = new CompletableFuture<>();
        executor.execute(() -> {
            var _ = acquire().whenComplete((claim, failure) -> {
                if (failure == null) {
                    held.complete(claim);
                } else {
                    held.completeExceptionally(
                            StoreCalls.unwrap(failure) instanceof DeposedException faster
                                    ? new StoreInUseException(String.valueOf(faster.getMessage()))
                                    : StoreCalls.unwrap(failure));
                }
            });
        });
        return held;
    }

    private CompletableFuture<HeldClaim> acquire() {
        return cell.read().thenCompose(found -> {
            if (found.isEmpty()) {
                return write(1);
            }
            ClaimRecord holder = ClaimCodec.decode(found.get());
            if (holder.released() || holder.nodeId().equals(settings.nodeId()) || settings.takeOver()) {
                return takeOver(holder);
            }
            log.info(
                    "the data is claimed by node {}, whose last heartbeat was {} ms ago by its clock; watching it for {} ms",
                    holder.nodeId(),
                    wallMillis.getAsLong() - holder.beatMillis(),
                    settings.timeoutMillis());
            return watch(found, holder, 0);
        });
    }

    private CompletableFuture<HeldClaim> watch(Optional<Bytes> first, ClaimRecord holder, long watchedMillis) {
        if (watchedMillis >= settings.timeoutMillis()) {
            log.warn("no heartbeat of node {} for {} ms; taking over the data", holder.nodeId(), watchedMillis);
            return write(holder.number() + 1);
        }
        CompletableFuture<Void> beat = new CompletableFuture<>();
        executor.schedule(settings.beatMillis(), () -> beat.complete(null));
        return beat.thenCompose(_ -> cell.peek()).thenCompose(now -> {
            if (now.equals(first)) {
                // Counted in pauses and not by a clock: if this process or the store stalls, the holder only gets more
                // time.
                return watch(first, holder, watchedMillis + settings.beatMillis());
            }
            if (now.map(ClaimCodec::decode).filter(ClaimRecord::released).isPresent()) {
                return acquire();
            }
            throw lostTo(now);
        });
    }

    /**
     * Sets the claim without watching the holder. A beat that was in flight, perhaps from a process that is dead by
     * now, makes the compare-and-set fail; then the claim is read again. Another claim in the cell means that another
     * node was faster.
     */
    private CompletableFuture<HeldClaim> takeOver(ClaimRecord holder) {
        return write(holder.number() + 1).exceptionallyCompose(failure -> {
            if (!(StoreCalls.unwrap(failure) instanceof DeposedException)) {
                return CompletableFuture.failedFuture(failure);
            }
            return cell.peek()
                    .thenCompose(now -> now.map(ClaimCodec::decode)
                                    .filter(holder::isSameClaimAs)
                                    .isPresent()
                            ? acquire()
                            : CompletableFuture.failedFuture(failure));
        });
    }

    private CompletableFuture<HeldClaim> write(long number) {
        ClaimRecord record = new ClaimRecord(number, settings.nodeId(), nonce, 0, wallMillis.getAsLong(), false);
        return cell.replace(ClaimCodec.encode(record)).thenApply(_ -> {
            Heartbeat<ClaimRecord> heartbeat = new Heartbeat<>(
                    "the claim on the data",
                    cell,
                    executor,
                    settings.beatMillis(),
                    ClaimCodec::encode,
                    last -> last.next(wallMillis.getAsLong()),
                    record);
            heartbeat.start();
            return new HeldClaim(heartbeat, executor, onAbandoned, wallMillis);
        });
    }

    private static DeposedException lostTo(Optional<Bytes> found) {
        String holder = found.map(Claiming::nameOf).orElse("another node");
        return new DeposedException("the data is held by " + holder
                + " (expected: one node at a time; stop that node, or wait until its heartbeats have stopped for a while, or use"
                + " --take-over if it is dead)");
    }

    private static String nameOf(Bytes claim) {
        try {
            ClaimRecord holder = ClaimCodec.decode(claim);
            return "node " + holder.nodeId() + ", by claim " + holder.number();
        } catch (UnknownLayoutException later) {
            return "a node of another version";
        }
    }
}
