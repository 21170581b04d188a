package io.taskmaster.server.partition.claim;

import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.log.ownership.CompareAndSetCell;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claim of this node, renewed by changing its cell at every beat. While the store does not answer, the beat is
 * retried without a limit: the claim is lost only when the cell holds another's claim. Thread-safe: all work is done on
 * the executor.
 *
 * <pre>{@code
 * state  | event                     | next state | effect
 * -------+---------------------------+------------+--------------------------------------------------
 * held   | beat stored               | held       | next beat after the interval
 * held   | beat failed               | silent     | warning; the same beat is retried after the interval
 * silent | beat stored               | held       | logged
 * silent | beat failed               | silent     | retried after the interval
 * held,  | the cell holds another's  | ended      | lost() completes
 * silent |                           |            |
 * held,  | release()                 | ended      | the cell says "released", once a beat in flight is over
 * silent |                           |            |
 * any    | abandon()                 | ended      | nothing is stored; onAbandoned runs
 * }</pre>
 */
public final class HeldClaim implements Claim {

    private static final Logger log = LoggerFactory.getLogger(HeldClaim.class);

    private final CompareAndSetCell cell;
    private final TimedExecutor executor;
    private final Runnable onAbandoned;
    private final long beatMillis;
    private final LongSupplier wallMillis;
    private final OwnerCandidate owner;
    private final CompletableFuture<Throwable> lost = new CompletableFuture<>();

    /** The record as last stored. This field and all below are owned by the executor. */
    private ClaimRecord record;

    /**
     * The record last sent. Until its outcome is known no other is sent, so that the value read back is one of these
     * two.
     */
    private ClaimRecord sent;

    private CompletableFuture<Void> lastBeat = CompletableFuture.completedFuture(null);
    private boolean renewalFailing;
    private boolean ended;

    HeldClaim(
            CompareAndSetCell cell,
            TimedExecutor executor,
            Runnable onAbandoned,
            long beatMillis,
            LongSupplier wallMillis,
            ClaimRecord record) {
        this.cell = cell;
        this.executor = executor;
        this.onAbandoned = onAbandoned;
        this.beatMillis = beatMillis;
        this.wallMillis = wallMillis;
        this.record = record;
        this.sent = record;
        this.owner = new OwnerCandidate(record.nodeId(), record.number());
    }

    @Override
    public OwnerCandidate owner() {
        return owner;
    }

    @Override
    public CompletableFuture<Throwable> lost() {
        return lost.copy();
    }

    void scheduleBeat() {
        executor.schedule(beatMillis, this::beat);
    }

    private void beat() {
        if (ended) {
            return;
        }
        if (sent.equals(record)) {
            sent = record.next(wallMillis.getAsLong());
        }
        lastBeat = cell.replace(ClaimCodec.encode(sent)).handle((_, failure) -> {
            if (failure == null) {
                record = sent;
                onRenewed();
            } else {
                onFailure(StoreCalls.unwrap(failure));
            }
            if (!ended) {
                scheduleBeat();
            }
            return null;
        });
    }

    private void onRenewed() {
        if (renewalFailing) {
            renewalFailing = false;
            log.info("renewing the claim on the data again");
        }
    }

    private void onFailure(Throwable failure) {
        if (failure instanceof DeposedException) {
            ended = true;
            lost.complete(failure);
        } else if (!renewalFailing) {
            renewalFailing = true;
            log.warn("could not renew the claim on the data; retrying: {}", failure.getMessage());
        }
    }

    @Override
    public CompletableFuture<Void> release() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        executor.execute(() -> {
            boolean held = !ended;
            ended = true;
            var _ = lastBeat.thenCompose(_ -> held ? writeRelease() : CompletableFuture.completedFuture(null))
                    .whenComplete((_, _) -> released.complete(null));
        });
        return released;
    }

    private CompletableFuture<Void> writeRelease() {
        return cell.replace(ClaimCodec.encode(record.asReleased(wallMillis.getAsLong())));
    }

    @Override
    public void abandon() {
        executor.execute(() -> {
            ended = true;
            onAbandoned.run();
        });
    }
}
