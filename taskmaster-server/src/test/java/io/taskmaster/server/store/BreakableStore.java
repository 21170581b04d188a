package io.taskmaster.server.store;

import io.taskmaster.server.store.StoreException.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A handle of a store that may have other handles, too, and that a test can break. A broken handle fails every
 * operation. Thread-safe.
 */
public final class BreakableStore extends ForwardingStore {

    private final Store store;
    private final Runnable closing;
    private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();

    public BreakableStore(Store store) {
        this(store, () -> {});
    }

    /**
     * Creates a handle with a close action of its own.
     *
     * @param closing runs on close, instead of closing the store
     */
    public BreakableStore(Store store, Runnable closing) {
        this.store = store;
        this.closing = closing;
    }

    public void breakDown() {
        broken.complete(
                new StoreException(Outcome.UNKNOWN, "write: IOError: While fdatasync: Input/output error", null));
    }

    @Override
    public CompletableFuture<RuntimeException> broken() {
        return broken;
    }

    @Override
    protected Store delegate() {
        return store;
    }

    @Override
    protected <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> operation) {
        return broken.isDone() ? CompletableFuture.failedFuture(broken.join()) : operation.get();
    }

    @Override
    public void close() {
        closing.run();
    }
}
