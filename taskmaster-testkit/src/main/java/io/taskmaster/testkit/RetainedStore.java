package io.taskmaster.testkit;

import io.taskmaster.server.store.ForwardingStore;
import io.taskmaster.server.store.Store;

/** A store that survives the close of its node, so that a restart finds its data in memory. Thread-safe. */
final class RetainedStore extends ForwardingStore {

    private final Store store;

    RetainedStore(Store store) {
        this.store = store;
    }

    @Override
    protected Store delegate() {
        return store;
    }

    @Override
    public void close() {
        // The next node continues with the store.
    }
}
