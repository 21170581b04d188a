package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store in memory that fails some puts, like one whose rows are moving to another server, or are corrupt.
 * Thread-safe.
 */
public final class RefusingStore extends ForwardingStore {

    private final MemoryStore store = new MemoryStore();
    private final AtomicInteger refusals = new AtomicInteger();

    private volatile boolean damaged;

    /** Refuses that many puts from now on. */
    public void refuse(int puts) {
        refusals.set(puts);
    }

    /** Fails all puts from now on, as corrupt. */
    public void damage() {
        damaged = true;
    }

    @Override
    protected Store delegate() {
        return store;
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        if (damaged) {
            return CompletableFuture.failedFuture(new StoreException(Outcome.CORRUPT, "damaged", null));
        }
        return refusals.getAndUpdate(remaining -> Math.max(0, remaining - 1)) > 0
                ? CompletableFuture.failedFuture(new StoreException(Outcome.REFUSED, "not here any more", null))
                : store.putIfAbsent(key, value);
    }
}
