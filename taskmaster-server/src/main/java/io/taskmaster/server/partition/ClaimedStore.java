package io.taskmaster.server.partition;

import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.store.Store;

/**
 * The data that a node serves: a store, the claim of the node on it, and its division into partitions. Thread-safe.
 *
 * @param partitions the number of partitions, as {@link StoreLayout} has settled it; fixed for the life of the store
 */
public record ClaimedStore(Store store, Claim claim, int partitions) {

    public ClaimedStore {
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions: " + partitions + " (expected: at least 1)");
        }
    }
}
