package io.taskmaster.server.partition.claim;

import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import java.util.concurrent.CompletableFuture;

/** The right of a node to own its partitions. Thread-safe. */
public interface Claim {

    /** The candidate owner under which the node takes partitions over. */
    OwnerCandidate owner();

    /** Returns a future that completes, with the reason, once another node has taken the claim. */
    CompletableFuture<Throwable> lost();

    /**
     * Releases the claim, so that another node need not wait for its timeout. Complete when the store has recorded it,
     * or when that has failed.
     */
    CompletableFuture<Void> release();

    /** Drops the claim as a crash would, without a write to the store. */
    void abandon();

    /** Returns the claim on a store that no other node can reach: it is not stored and never lost. */
    static Claim alone(String name) {
        return new Claim() {
            private final OwnerCandidate owner = OwnerCandidate.alone(name);

            @Override
            public OwnerCandidate owner() {
                return owner;
            }

            @Override
            public CompletableFuture<Throwable> lost() {
                return new CompletableFuture<>();
            }

            @Override
            public CompletableFuture<Void> release() {
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public void abandon() {}
        };
    }
}
