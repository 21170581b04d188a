package io.taskmaster.client;

import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A leased task in the hands of a {@link LeaseKeeper}: renewed until it is closed, its keeper is closed, or the lease is lost.
 * Thread-safe.
 */
public final class KeptLease implements AutoCloseable {

    private final LeaseKeeper keeper;
    private final LeasedTask task;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();

    // Guarded by the keeper's lock.
    long dueNanos;
    long heldUntilNanos;
    boolean underWay;
    Optional<TaskMasterException> lastError = Optional.empty();

    /**
     * @param dueNanos when to renew it first
     * @param heldUntilNanos when it ends, as far as is known
     */
    KeptLease(LeaseKeeper keeper, LeasedTask task, long dueNanos, long heldUntilNanos) {
        this.keeper = keeper;
        this.task = task;
        this.dueNanos = dueNanos;
        this.heldUntilNanos = heldUntilNanos;
    }

    /** The task, with the lease id that dequeues it; its {@code leaseExpires} is the first one. */
    public LeasedTask task() {
        return task;
    }

    /** Whether the lease is known to be lost: work on the task is then probably in vain. */
    public boolean isLost() {
        return lost.isDone();
    }

    /**
     * Completes if the lease is lost while it is kept, and never otherwise. It does so on a thread of the network or of the clock:
     * what depends on it must not block.
     */
    public CompletableFuture<Loss> lost() {
        return lost.copy();
    }

    /** Renews it no more: the lease ends by itself, unless the task is dequeued or released first. Idempotent; does not block. */
    @Override
    public void close() {
        keeper.drop(this);
    }

    void complete(Loss loss) {
        lost.complete(loss);
    }

    /**
     * Why a lease is lost.
     *
     * @param status {@code LEASE_LOST}: the task was leased to somebody else or released; {@code NOT_FOUND}: it was dequeued or its
     *     queue deleted; {@code LEASE_EXPIRED}: no renewal came in time
     * @param error why not, where the client knows: the last renewal's error
     */
    public record Loss(Status status, Optional<TaskMasterException> error) {}
}
