package io.taskmaster.client;

import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A lease that a {@link LeaseKeeper} renews until it is closed, its keeper is closed, or the lease is lost.
 * Thread-safe.
 *
 * <pre>{@code
 * state    | event                                  | next     | effect
 * KEPT     | its renewal is due                     | RENEWING | a renewal in flight
 * KEPT     | expired without a confirmed renewal    | LOST     | LEASE_EXPIRED
 * RENEWING | renewed                                | KEPT     | due a third of the length after it was sent
 * RENEWING | refused                                | LOST     | the status of the renewal
 * RENEWING | the call failed, not expired           | KEPT     | due again after a sixth of the length
 * RENEWING | the call failed, expired               | LOST     | LEASE_EXPIRED
 * any      | close of this, or of the keeper        | closed   | expires by itself
 * }</pre>
 */
public final class KeptLease implements AutoCloseable {

    private final LeaseKeeper keeper;
    private final LeasedTask task;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();

    // The fields of the state are guarded by the keeper's lock. A renewal in flight is RENEWING.
    long dueNanos;
    long heldUntilNanos;
    boolean inRenewal;
    Optional<TaskMasterException> lastError = Optional.empty();

    /**
     * Creates a kept lease.
     *
     * @param dueNanos the time of its first renewal
     * @param heldUntilNanos the time of its expiry, as far as it is known
     */
    KeptLease(LeaseKeeper keeper, LeasedTask task, long dueNanos, long heldUntilNanos) {
        this.keeper = keeper;
        this.task = task;
        this.dueNanos = dueNanos;
        this.heldUntilNanos = heldUntilNanos;
    }

    /** The task, with the lease id that dequeues it. Its {@code leaseExpires} is not updated by renewals. */
    public LeasedTask task() {
        return task;
    }

    /** Returns whether the lease is known to be lost: work on the task is then probably useless. */
    public boolean isLost() {
        return lost.isDone();
    }

    /**
     * Returns a future that completes if the lease is lost while it is kept, and otherwise never. It completes on a
     * network or timer thread, so dependent actions must not block.
     */
    public CompletableFuture<Loss> lost() {
        return lost.copy();
    }

    /**
     * Stops its renewal: the lease expires by itself, unless the task is dequeued or released first. Idempotent. Does
     * not block.
     */
    @Override
    public void close() {
        keeper.drop(this);
    }

    void complete(Loss loss) {
        lost.complete(loss);
    }

    /**
     * The loss of a lease.
     *
     * @param status {@code LEASE_LOST}: the task was leased to another worker or released; {@code NOT_FOUND}: it was
     *     dequeued, or its queue deleted; {@code LEASE_EXPIRED}: no renewal was in time
     * @param error the error of the last renewal, if the client knows it
     */
    public record Loss(Status status, Optional<TaskMasterException> error) {}
}
