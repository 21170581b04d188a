package io.taskmaster.server.partition.claim;

import io.taskmaster.server.partition.log.Contender;
import java.util.concurrent.CompletableFuture;

/** On what ground a node has its partitions. Thread-safe. */
public interface Claim {

    /** As whom it takes them over. */
    Contender owner();

    /** Complete, with the reason, once another node has them. */
    CompletableFuture<Throwable> lost();

    /** Gives them up, so that another need not wait. Complete when the store knows, or cannot be told. */
    CompletableFuture<Void> release();

    /** Lets go as a crash would: the store is not told. */
    void abandon();

    /** The claim on a store that no other node can reach: it need not be made, and is never lost. */
    static Claim alone(String name) {
        return new Claim() {
            private final Contender owner = Contender.alone(name);

            @Override
            public Contender owner() {
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
