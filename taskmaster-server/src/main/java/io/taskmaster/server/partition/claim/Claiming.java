package io.taskmaster.server.partition.claim;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.DeposedException;
import io.taskmaster.server.partition.log.Nonce;
import io.taskmaster.server.partition.log.SettledCell;
import io.taskmaster.server.partition.log.StoreCalls;
import io.taskmaster.server.partition.log.TimedExecutor;
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
 * Claims a store: once. Single-threaded: owned by its executor.
 *
 * <pre>
 *   read --> nobody's, given up, of the same node, or told to take over ------------------> set ours, with the next number
 *                           --> it beats before ours is there -----> read
 *        --> another node's --> it beats while we watch -----------> the store is in use
 *                           --> it gives it up meanwhile ----------> set ours, with the next number
 *                           --> it does not, for our patience ----> set ours, with the next number
 * </pre>
 *
 * <p>Whether the other one lives is seen by watching, not by comparing its clock with ours.
 */
public final class Claiming {

    private static final Logger log = LoggerFactory.getLogger(Claiming.class);
    private static final int MAX_TRIES = 10;

    private final TimedExecutor executor;
    private final Runnable whenOver;
    private final ClaimSettings settings;
    private final LongSupplier wallMillis;
    private final Nonce nonce;
    private final SettledCell cell;

    /**
     * @param whenOver is run when the claim is let go
     * @param wallMillis the clock of the machine, which people are told
     */
    public Claiming(
            Store store,
            TimedExecutor executor,
            Runnable whenOver,
            ClaimSettings settings,
            RandomGenerator random,
            LongSupplier wallMillis) {
        this.executor = executor;
        this.whenOver = whenOver;
        this.settings = settings;
        this.wallMillis = wallMillis;
        this.nonce = Nonce.draw(random);
        this.cell = new SettledCell(
                store, new StoreCalls(executor, MAX_TRIES), ClaimCodec.key(), Optional.empty(), Claiming::lostTo);
    }

    /**
     * Takes the claim. Fails with a {@link StoreInUseException} if another node lives, or is faster, and with a
     * {@link io.taskmaster.server.store.StoreException} if the store does not play along.
     */
    public CompletableFuture<HeldClaim> run() {
        CompletableFuture<HeldClaim> held = new CompletableFuture<>();
        executor.execute(() -> {
            var _ = take().whenComplete((claim, failure) -> {
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

    private CompletableFuture<HeldClaim> take() {
        return cell.read().thenCompose(found -> {
            if (found.isEmpty()) {
                return set(1);
            }
            ClaimRecord holder = ClaimCodec.decode(found.get());
            if (holder.released() || holder.nodeId().equals(settings.nodeId()) || settings.takeOver()) {
                return setAtOnce(holder);
            }
            log.info(
                    "the data are claimed by node {}, last heard of {} ms ago by its clock; watching it for {} ms",
                    holder.nodeId(),
                    wallMillis.getAsLong() - holder.beatMillis(),
                    settings.patienceMillis());
            return watch(found, holder, 0);
        });
    }

    private CompletableFuture<HeldClaim> watch(Optional<Bytes> first, ClaimRecord holder, long watchedMillis) {
        if (watchedMillis >= settings.patienceMillis()) {
            log.warn("node {} said nothing for {} ms: taking over from it", holder.nodeId(), watchedMillis);
            return set(holder.number() + 1);
        }
        CompletableFuture<Void> beat = new CompletableFuture<>();
        executor.schedule(settings.beatMillis(), () -> beat.complete(null));
        return beat.thenCompose(_ -> cell.peek()).thenCompose(now -> {
            if (now.equals(first)) {
                return watch(first, holder, watchedMillis + settings.beatMillis());
            }
            if (now.map(ClaimCodec::decode).filter(ClaimRecord::released).isPresent()) {
                return take();
            }
            throw lostTo(now);
        });
    }

    /**
     * Whether the holder lives does not matter: a beat that was on its way, perhaps from a process that is dead by now, only means that we
     * look again. Another claim means that somebody was faster.
     */
    private CompletableFuture<HeldClaim> setAtOnce(ClaimRecord holder) {
        return set(holder.number() + 1).exceptionallyCompose(failure -> {
            if (!(StoreCalls.unwrap(failure) instanceof DeposedException)) {
                return CompletableFuture.failedFuture(failure);
            }
            return cell.peek()
                    .thenCompose(now -> now.map(ClaimCodec::decode)
                                    .filter(holder::isSameClaimAs)
                                    .isPresent()
                            ? take()
                            : CompletableFuture.failedFuture(failure));
        });
    }

    private CompletableFuture<HeldClaim> set(long number) {
        ClaimRecord ours = new ClaimRecord(number, settings.nodeId(), nonce, 0, wallMillis.getAsLong(), false);
        return cell.replace(ClaimCodec.encode(ours)).thenApply(_ -> {
            HeldClaim claim = new HeldClaim(cell, executor, whenOver, settings.beatMillis(), wallMillis, ours);
            claim.beatLater();
            return claim;
        });
    }

    private static DeposedException lostTo(Optional<Bytes> found) {
        String holder = found.map(Claiming::nameOf).orElse("nobody");
        return new DeposedException("the data are held by " + holder
                + " (expected: one node at a time; it is taken for dead when it has not been heard of for a while, and --take-over takes"
                + " them at once)");
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
