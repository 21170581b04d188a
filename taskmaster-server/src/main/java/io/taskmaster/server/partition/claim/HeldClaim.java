package io.taskmaster.server.partition.claim;

import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * The claim of this node, renewed by the {@link Heartbeat} of its cell. Thread-safe: all work is done on the executor.
 *
 * <pre>{@code
 * state  | event                     | next state | effect
 * -------+---------------------------+------------+--------------------------------------------------
 * held   | the cell holds another's  | ended      | lost() completes
 * held   | release()                 | ended      | the cell says "released", once a beat in flight is over
 * any    | abandon()                 | ended      | nothing is stored; onAbandoned runs
 * }</pre>
 */
public final class HeldClaim implements Claim {

    private final Heartbeat<ClaimRecord> heartbeat;
    private final TimedExecutor executor;
    private final Runnable onAbandoned;
    private final LongSupplier wallMillis;

    HeldClaim(Heartbeat<ClaimRecord> heartbeat, TimedExecutor executor, Runnable onAbandoned, LongSupplier wallMillis) {
        this.heartbeat = heartbeat;
        this.executor = executor;
        this.onAbandoned = onAbandoned;
        this.wallMillis = wallMillis;
    }

    @Override
    public OwnerCandidate owner() {
        ClaimRecord record = heartbeat.record();
        return new OwnerCandidate(record.nodeId(), record.number());
    }

    @Override
    public CompletableFuture<Throwable> lost() {
        return heartbeat.lost();
    }

    @Override
    public CompletableFuture<Void> release() {
        return heartbeat.end(record -> record.asReleased(wallMillis.getAsLong()));
    }

    @Override
    public void abandon() {
        heartbeat.abandon();
        executor.execute(onAbandoned);
    }
}
